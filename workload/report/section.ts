import type { Html } from './html.js';

/** A part of the page that the navigation names. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}
