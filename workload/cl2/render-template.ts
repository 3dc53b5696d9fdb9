import { parseAllDocuments } from 'yaml';

/** What a template gives for one object. */
export type RenderedObject =
  | { readonly ok: true; readonly object: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/** What ClusterLoader2 fills in for the object of that index. */
export interface TemplateValues {
  readonly basename: string;
  readonly index: number;
  readonly namespace: string;
}

/**
 * Renders an object template as ClusterLoader2 does, as far as our templates go: three placeholders,
 * one on a line, one document, kind and version literal. Anything else is a problem, because an old
 * ClusterLoader2 would do something else with it. @see data/clusterloader2.md §1.6, §6.2
 */
export function renderTemplate(text: string, values: TemplateValues): RenderedObject {
  const problem = text
    .split('\n')
    .map(lineProblem)
    .find((one) => one !== undefined);
  if (problem !== undefined) return { ok: false, problem };
  const rendered = Object.entries(fillIns(values)).reduce(
    (filled, [name, value]) => filled.replaceAll(`{{.${name}}}`, value),
    text,
  );
  const documents = parseAllDocuments(rendered, { version: '1.1' });
  const [document] = documents;
  if (!Array.isArray(documents) || document === undefined || documents.length !== 1) {
    return { ok: false, problem: 'it has to hold one document' };
  }
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, problem: error.message.split('\n')[0] ?? '' };
  return objectOf(document.toJS(), values);
}

/** `<basename>-<index>`: ClusterLoader2 gives this name whatever the template says. */
export function objectName({ basename, index }: TemplateValues): string {
  return `${basename}-${index}`;
}

function fillIns(values: TemplateValues): Readonly<Record<string, string>> {
  return {
    Name: objectName(values),
    Index: String(values.index),
    BaseName: values.basename,
    Namespace: values.namespace,
  };
}

function lineProblem(line: string): string | undefined {
  const places = [...line.matchAll(/\{\{(.*?)\}\}/g)].map((match) => match[1] ?? '');
  if (places.length === 0) return undefined;
  if (places.length > 1) return `two placeholders in one line: ${line.trim()}`;
  if (!/^\.(Name|Index|BaseName|Namespace)$/.test(places[0] ?? '')) {
    return `an unknown placeholder: ${line.trim()}`;
  }
  if (/^\s*(apiVersion|kind):/.test(line)) return `a placeholder in ${line.trim()}`;
  return undefined;
}

function objectOf(value: unknown, values: TemplateValues): RenderedObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: 'it gives no object' };
  }
  const object: Readonly<Record<string, unknown>> = { ...value };
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    return { ok: false, problem: 'it has no apiVersion or kind' };
  }
  if (typeof metadata !== 'object' || metadata === null) {
    return { ok: false, problem: 'it has no metadata' };
  }
  const named = { ...metadata, name: objectName(values), namespace: values.namespace };
  return { ok: true, object: { ...object, metadata: named } };
}
