export { Panel, ReadingState } from './pane.js';
