import { signal } from '@preact/signals';
import { ROW_PX } from './list.js';

/** As in the style sheet: a phone shows a row in two lines. */
const PHONE_PX = 52;

const phone = matchMedia('(max-width: 640px)');
const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});

/** The height of rows that have two lines on a phone. */
export const useRowPx = (): number => (isPhone.value ? PHONE_PX : ROW_PX);
