import { request } from 'undici';
import { z } from 'zod';
import type { Milliseconds } from '../../model/quantity.js';

/** A series of raw samples: time in milliseconds since 1970, value possibly NaN or infinite. */
export interface RawSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly RawSample[];
}

/** One sample. */
export interface RawSample {
  readonly at: Milliseconds;
  readonly value: number;
}

/** What a query gives: its series (an instant vector has one sample each), or why there is nothing. */
export type PrometheusAnswer =
  | { readonly ok: true; readonly series: readonly RawSeries[] }
  | {
      readonly ok: false;
      readonly reason: string;
      /** True when there was no answer at all. @default false */
      readonly silent?: boolean;
    };

/** A Prometheus that answers queries. Refusals, timeouts and a server that is gone are answers too. */
export interface PrometheusSource {
  /** Evaluates at `at`. A range selector such as `up[5m]` gives the raw samples of that range. */
  instant(expression: string, at: Milliseconds, signal?: AbortSignal): Promise<PrometheusAnswer>;
  /** Evaluates at every `step` from `start` to `end`. */
  range(expression: string, range: QueryRange, signal?: AbortSignal): Promise<PrometheusAnswer>;
}

/** A window with a step. */
export interface QueryRange {
  readonly start: Milliseconds;
  readonly end: Milliseconds;
  readonly step: Milliseconds;
}

/** How the API is reached: directly, or through a Kubernetes API server's proxy. */
export interface PrometheusHttp {
  /** Gets an API path such as `/api/v1/query` with these fields. Rejects when there is no answer. */
  get(
    path: string,
    fields: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }>;
}

/** A Prometheus behind an HTTP port. */
export function prometheusSource(http: PrometheusHttp): PrometheusSource {
  return {
    instant: (query, at, signal) =>
      ask(http, '/api/v1/query', { query, time: seconds(at) }, signal),
    range: (query, { start, end, step }, signal) => {
      const window = { start: seconds(start), end: seconds(end), step: seconds(step) };
      return ask(http, '/api/v1/query_range', { query, ...window }, signal);
    },
  };
}

/** Plain HTTP to a base address such as `http://127.0.0.1:9090`. */
export function directHttp(baseUrl: string, deadline: Milliseconds = DEADLINE): PrometheusHttp {
  return {
    get: async (path, fields, signal) => {
      const url = new URL(path, baseUrl);
      url.search = new URLSearchParams(fields).toString();
      const { statusCode, body } = await request(url, {
        headersTimeout: deadline,
        bodyTimeout: deadline,
        ...(signal === undefined ? {} : { signal }),
      });
      return { status: statusCode, text: await body.text() };
    },
  };
}

async function ask(
  http: PrometheusHttp,
  path: string,
  fields: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<PrometheusAnswer> {
  let text: string;
  try {
    ({ text } = await http.get(path, fields, signal));
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: `Prometheus did not answer: ${reason}`, silent: true };
  }
  return readAnswer(text);
}

function readAnswer(text: string): PrometheusAnswer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, reason: `Prometheus answered ${text.slice(0, 80).trim() || 'nothing'}` };
  }
  const parsed = answerSchema.safeParse(json);
  if (!parsed.success) return { ok: false, reason: 'Prometheus answered in a form of its own' };
  if (parsed.data.status === 'error') {
    return { ok: false, reason: `Prometheus refused the query: ${parsed.data.error}` };
  }
  return { ok: true, series: seriesOf(parsed.data.data) };
}

type AnswerData = Extract<z.infer<typeof answerSchema>, { status: 'success' }>['data'];

function seriesOf(data: AnswerData): readonly RawSeries[] {
  switch (data.resultType) {
    case 'matrix':
      return data.result.map(({ metric, values }) => ({
        labels: metric,
        samples: values.map(readSample),
      }));
    case 'vector':
      return data.result.map(({ metric, value }) => ({
        labels: metric,
        samples: [readSample(value)],
      }));
    case 'scalar':
      return [{ labels: {}, samples: [readSample(data.result)] }];
  }
}

function readSample([time, value]: z.infer<typeof pair>): RawSample {
  return { at: Math.round(time * 1_000), value: SPECIAL[value] ?? Number(value) };
}

function seconds(milliseconds: Milliseconds): string {
  return (milliseconds / 1_000).toFixed(3);
}

/** Ours: a query over a whole run of a five-cluster mesh takes well under a second. */
const DEADLINE: Milliseconds = 30_000;

const SPECIAL: Readonly<Record<string, number>> = { '+Inf': Infinity, '-Inf': -Infinity, NaN: NaN };

const pair = z.tuple([z.number(), z.string()]);
const labels = z.record(z.string(), z.string());

/** @see https://prometheus.io/docs/prometheus/latest/querying/api/ */
const answerSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('error'), error: z.string() }),
  z.object({
    status: z.literal('success'),
    data: z.discriminatedUnion('resultType', [
      z.object({
        resultType: z.literal('matrix'),
        result: z.array(z.object({ metric: labels, values: z.array(pair) })),
      }),
      z.object({
        resultType: z.literal('vector'),
        result: z.array(z.object({ metric: labels, value: pair })),
      }),
      z.object({ resultType: z.literal('scalar'), result: pair }),
    ]),
  }),
]);
