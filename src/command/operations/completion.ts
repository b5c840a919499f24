import { CALL_FLAGS } from '../description/help.js';
import { type CommandOperation, Operations } from '../description/operations.js';
import { HELP_FLAG, readWords } from '../flags.js';
import { UsageError } from '../usage-error.js';

const HELP = `Prints a script that completes commands, operations and flags.

Usage: npx partner-sdk completion bash|zsh

bash, in ~/.bashrc:  source <(npx partner-sdk completion bash)
zsh, in ~/.zshrc:    autoload -Uz compinit && compinit; source <(npx partner-sdk completion zsh)

It completes the word partner-sdk. If the package is not installed globally: alias partner-sdk='npx partner-sdk'.`;

/** The part that is only in this shell. */
const SHELLS: Readonly<Record<string, string>> = {
  bash: `_partner_sdk() {
  COMPREPLY=($(compgen -W "$(_partner_sdk_next "\${COMP_WORDS[@]:0:COMP_CWORD}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _partner_sdk partner-sdk`,
  zsh: `_partner_sdk() {
  compadd -- $(_partner_sdk_next "\${(@)words[1,CURRENT-1]}") || _files
}
compdef _partner_sdk partner-sdk`,
};

/** Runs `partner-sdk completion`, and returns what it prints. */
export function completion(args: readonly string[], commands: readonly string[]): string {
  const { plain, values } = readWords(args, HELP_FLAG);
  if (values.help !== undefined) return HELP;
  const shell = Object.hasOwn(SHELLS, plain[0] ?? '') && plain.length === 1 ? SHELLS[plain[0] ?? ''] : undefined;
  if (shell === undefined) throw new UsageError('completion takes bash or zsh');
  const all = new Operations().all();
  const offer = (when: string, words: readonly string[]) => `    ${when}) printf '%s\\n' ${words.join(' ')} ;;`;
  const names = all.map(({ name }) => name);
  const flagsOf = ({ members }: CommandOperation) =>
    [...members.keys(), ...Object.keys(CALL_FLAGS)].map((flag) => `--${flag}`);
  const cases = [
    offer('1:', commands),
    offer('2:call', names),
    offer('2:completion', Object.keys(SHELLS)),
    offer('2:doctor', ['webhook']),
    ...all.map((one) => offer(`*:call:${one.name}`, flagsOf(one))),
  ];
  // Its arguments are the words before the current one.
  return `_partner_sdk_next() {\n  case "$#:\${2-}\${3:+:$3}" in\n${cases.join('\n')}\n  esac\n}\n${shell}`;
}
