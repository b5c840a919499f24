import { render } from 'preact';
import { App } from './app.js';
import { Live } from './wire/live.js';

const live = new Live();
live.start();
const root = document.getElementById('app');
if (root !== null) render(<App live={live} />, root);
