import { answerTo } from '../service/answers.js';
import { startRawServer } from '../service/raw-server.js';

const { origin } = await startRawServer(answerTo);
process.on('disconnect', () => process.exit());
process.send?.(origin);
