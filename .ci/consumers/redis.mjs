import { check, createProject } from './project.mjs';
import { asWeUseIt } from './versions.mjs';

/** Several processes share API keys over a real Redis, each with the installed package and either Redis client. */
export function checkRedis({ tarball, directory }) {
  const project = createProject(directory, [tarball, ...['redis', 'ioredis'].map(asWeUseIt)]);
  check('several processes over Redis', process.execPath, ['redis.mjs'], { cwd: project });
}
