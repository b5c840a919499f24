import { render } from 'preact';
import { App } from './app.js';
import { live } from './wire/live.js';

live.start();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
