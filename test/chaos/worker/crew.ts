import { type ChildProcess, fork } from 'node:child_process';
import { env } from 'node:process';
import type { CallEnd } from '../judge/evidence.js';
import type { Task, WorkerMessage } from './messages.js';
import type { WorkerProgram } from './program.js';

/** A process that has told its report ends by itself within this time, in milliseconds. */
const ENDS_WITHIN = 15_000;

/** Without a sign of life from any process for so long, all are given up, in milliseconds. */
const SILENCE = 90_000;

type Share = Omit<Task, 'process' | 'incarnation' | 'skip'>;

interface Member {
  readonly child: ChildProcess;
  readonly incarnation: number;
  readonly stderr: string[];
  reported: boolean;
  killed: boolean;
}

export class Crew {
  readonly ends: CallEnd[] = [];
  readonly incidents: string[] = [];
  readonly left: string[] = [];
  /** Calls whose end nobody knows, and that were not made again. */
  readonly excused = new Set<number>();
  readonly #members = new Map<number, Member>();
  readonly #begun = new Map<number, Set<number>>();
  #finished: () => void = () => {};
  #watch: ReturnType<typeof setTimeout> | undefined;

  /** `env` is added to the environment of each process. `onEnded` hears how many calls have ended. */
  constructor(
    readonly program: WorkerProgram,
    readonly shareOf: (process: number) => Share,
    readonly env: NodeJS.ProcessEnv,
    readonly onEnded: (ended: number) => void,
  ) {}

  /** Runs so many processes until all have ended. */
  async run(processes: number): Promise<void> {
    const finished = new Promise<void>((resolve) => {
      this.#finished = resolve;
    });
    this.#heard();
    for (let process = 0; process < processes; process++) this.#start(process, 0, []);
    await finished;
    clearTimeout(this.#watch);
  }

  /** Kills a process as a machine that loses power would, and starts it again; it repeats what is safe to repeat. */
  restart(process: number): void {
    const member = this.#members.get(process);
    if (member === undefined || member.reported) return;
    member.killed = true;
    // Closed, and not only over: all that it had told has been heard.
    member.child.once('close', () => {
      if (!member.reported) this.#start(process, member.incarnation + 1, this.#over(process));
    });
    member.child.kill('SIGKILL');
  }

  /** What a process that starts again must not make. */
  #over(process: number): number[] {
    const ended = new Set(this.ends.map(({ id }) => id));
    const begun = [...(this.#begun.get(process) ?? [])];
    for (const id of begun) if (!ended.has(id)) this.excused.add(id);
    return [...ended, ...begun];
  }

  #start(process: number, incarnation: number, skip: readonly number[]): void {
    const { file, execPath, execArgv } = this.program;
    const child = fork(file, {
      execPath,
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...env, ...this.env },
    });
    const member: Member = { child, incarnation, stderr: [], reported: false, killed: false };
    this.#members.set(process, member);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => member.stderr.push(text));
    child.on('message', (message: WorkerMessage) => {
      this.#heard();
      if (message.type === 'ready') child.send({ ...this.shareOf(process), process, incarnation, skip } satisfies Task);
      else this.#told(process, member, message);
    });
    child.on('close', (code, signal) => this.#ended(process, member, `${code ?? signal}`));
  }

  #told(process: number, member: Member, message: Exclude<WorkerMessage, { type: 'ready' }>): void {
    switch (message.type) {
      case 'began':
        this.#begun.set(process, (this.#begun.get(process) ?? new Set()).add(message.id));
        return;
      case 'ended':
        this.ends.push(message.end);
        this.onEnded(this.ends.length);
        return;
      case 'incident':
        this.incidents.push(`process ${process}: ${message.what}`);
        return;
      case 'done': {
        member.reported = true;
        this.left.push(...message.left.map((what) => `in process ${process}: ${what}`));
        const timer = setTimeout(() => {
          this.left.push(`process ${process} did not end by itself`);
          member.child.kill('SIGKILL');
        }, ENDS_WITHIN);
        member.child.once('close', () => clearTimeout(timer));
      }
    }
  }

  #ended(process: number, member: Member, how: string): void {
    if (!member.reported && !member.killed) {
      this.incidents.push(`process ${process} ended unasked (${how}): ${member.stderr.join('').slice(-2_000)}`);
    }
    if (member.killed && !member.reported) return;
    this.#members.delete(process);
    if (this.#members.size === 0) this.#finished();
  }

  #heard(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.incidents.push(`nothing was heard for ${SILENCE} ms`);
      for (const { child } of this.#members.values()) child.kill('SIGKILL');
    }, SILENCE);
  }
}
