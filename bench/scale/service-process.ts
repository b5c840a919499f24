/** The service, in a process of its own: its memory and its event loop are not the client's. */
import { startScaleService } from './service.js';

const { pages } = JSON.parse(process.argv[2] ?? '') as { readonly pages: number };
const url = await startScaleService(pages);

process.on('disconnect', () => process.exit());
process.send?.(url);
