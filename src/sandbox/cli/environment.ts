import { FLAGS_BY_NAME } from './flags.js';
import { wrongOption } from './output/failure.js';
import { quoted } from './output/text.js';

/**
 * The text of an option, or a boolean for a switch, and the name under which the user has given it.
 */
export interface Given {
  readonly value: string | boolean;
  readonly source: string;
}

/** Returns the variable for an option: `PARTNER_SANDBOX_ALLOW_HOST`. */
export const environmentName = (option: string): string =>
  `PARTNER_SANDBOX_${option.toUpperCase().replaceAll('-', '_')}`;

const NOT_IN_ENVIRONMENT: readonly string[] = ['help', 'version'];

/** Texts that are accepted for a switch, with their values. */
const SWITCHES: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false };

/**
 * Returns the options from variables, by name. An empty variable is ignored, because a compose file
 * sets it to that if it has no value.
 *
 * @throws Failure (2) for a switch that is neither on nor off.
 */
export function givenInEnvironment(environment: NodeJS.ProcessEnv): Map<string, Given> {
  const given = new Map<string, Given>();
  for (const [name, flag] of FLAGS_BY_NAME) {
    if (NOT_IN_ENVIRONMENT.includes(name)) continue;
    const source = environmentName(name);
    const text = textOf(environment[source]);
    if (text === '') continue;
    given.set(name, { value: flag.type === 'boolean' ? switchOf(source, text) : text, source });
  }
  return given;
}

/** Kubernetes sets `PARTNER_SANDBOX_PORT=tcp://…` if a service has the name `partner-sandbox`. */
function textOf(variable: string | undefined): string {
  return variable === undefined || /^(tcp|udp|sctp):\/\//.test(variable) ? '' : variable.trim();
}

function switchOf(source: string, text: string): boolean {
  const isOn = SWITCHES[text.toLowerCase()];
  if (isOn !== undefined) return isOn;
  throw wrongOption(`${source} must be 1 or 0, or true or false, not ${quoted(text)}`);
}
