// The acceptance program as a function of a cloud: the event has the settings.
import { accept } from './acceptance.mjs';

export async function handler(event) {
  await accept(event);
  return { statusCode: 200 };
}
