import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded before the command: a disk that syncs data when the test wants. It waits while the file
 * $DISK.held is there, and fails while $DISK.broken is. Each sync is a line of $DISK.syncs.
 */
const disk = process.env['DISK'] ?? '';
const { fdatasync } = fs;
const POLL_MS = 5;

function sync(file: number, done: (error: NodeJS.ErrnoException | null) => void): void {
  if (fs.existsSync(`${disk}.held`)) setTimeout(() => sync(file, done), POLL_MS);
  else if (fs.existsSync(`${disk}.broken`))
    done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
  else fdatasync(file, done);
}

fs.fdatasync = Object.assign(
  (file: number, done: (error: NodeJS.ErrnoException | null) => void): void => {
    fs.appendFileSync(`${disk}.syncs`, 'sync\n');
    sync(file, done);
  },
  { __promisify__: fdatasync.__promisify__ },
);
syncBuiltinESMExports();
