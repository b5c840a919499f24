// partner-sdk/redis

interface AttemptFailure {
    readonly reason: 'status' | 'race' | 'not_sent' | 'lost' | 'too_slow' | 'provider' | 'unreadable' | 'ended';
    readonly status?: number | undefined;
    readonly code?: string | undefined;
}

interface Attempts {
    readonly count: number;
    readonly failures: readonly AttemptFailure[];
}

interface CallFacts {
    readonly outcome: Outcome;
    readonly operation: string | undefined;
    readonly attempts: Attempts;
    readonly idempotencyKey: string | undefined;
}

export class ConfigurationError extends PartnerError {
}

export interface IoredisClient {
    eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
    defineCommand(name: string, definition: {
        lua: string;
        numberOfKeys?: number;
    }): void;
}

export interface NodeRedisClient {
    eval(script: string, options: {
        keys: string[];
        arguments: string[];
    }): Promise<unknown>;
}

export interface NonceSource {
    next(apiKey: string): bigint | Promise<bigint>;
}

type Outcome = 'not_applied' | 'applied' | 'unknown';

export class PartnerError extends Error {
    readonly outcome: Outcome;
    readonly operation: string | undefined;
    readonly attempts: Attempts;
    readonly idempotencyKey: string | undefined;
    constructor(message: string, facts?: CallFacts, options?: {
        cause?: unknown;
    });
    toJSON(): Record<string, unknown>;
}

export type RedisClient = NodeRedisClient | IoredisClient;

export interface RedisKeyLeasesOptions {
    readonly prefix?: string | undefined;
    readonly ttl?: number | undefined;
    readonly acquireTimeout?: number | undefined;
    readonly keysPerProcess?: number | undefined;
    readonly keysArePartnerWide?: boolean | undefined;
    readonly turn?: number | undefined;
}

export interface RedisReplayGuard {
    seen(id: string): Promise<boolean | 'handling'>;
    handled(id: string): Promise<void>;
    forget(id: string): Promise<void>;
}

export interface RedisReplayGuardOptions {
    readonly prefix?: string | undefined;
    readonly ttl?: number | undefined;
    readonly handlingTtl?: number | undefined;
}

export function isPartnerError(error: unknown): error is PartnerError;

export function redisKeyLeases(client: RedisClient, options?: RedisKeyLeasesOptions): NonceSource;

export function redisReplayGuard(client: RedisClient, options?: RedisReplayGuardOptions): RedisReplayGuard;
