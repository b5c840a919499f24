import { asWeUseIt, check, createProject } from './project.mjs';

/** Clients share API keys over a real Redis, with the installed package and either Redis client. */
export function checkRedis({ tarball, directory }) {
  const project = createProject(directory, [tarball, ...['redis', 'ioredis'].map(asWeUseIt)]);
  check('clients that share API keys over Redis', process.execPath, ['redis.mjs'], { cwd: project });
}
