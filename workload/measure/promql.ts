import { parser } from '@prometheus-io/lezer-promql';
import type { SyntaxNode } from '@lezer/common';

/** A condition on a label, such as `scope=~"a|b"`. */
export interface LabelMatcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** A vector selector of an expression: which series it reads. */
export interface PromqlSelector {
  /** Undefined when the selector gives no name. */
  readonly metric: string | undefined;
  readonly matchers: readonly LabelMatcher[];
}

/** What the official grammar says of an expression. */
export type CheckedPromql =
  | { readonly ok: true; readonly selectors: readonly PromqlSelector[] }
  | { readonly ok: false; readonly problem: string; readonly offset: number };

/**
 * Parses an expression with the grammar that Prometheus' own editor uses, and lists the series it
 * reads. The grammar knows syntax only: types and metric names are for a server to refuse.
 */
export function checkPromql(expression: string): CheckedPromql {
  const tree = parser.parse(expression);
  const selectors: PromqlSelector[] = [];
  let offset: number | undefined;
  tree.iterate({
    enter: ({ type, from, node }) => {
      if (type.isError) offset ??= from;
      if (type.name === 'VectorSelector') selectors.push(readSelector(node, expression));
    },
  });
  if (expression.trim() === '') return { ok: false, problem: 'the expression is empty', offset: 0 };
  if (offset !== undefined) return { ok: false, problem: problemAt(expression, offset), offset };
  return { ok: true, selectors };
}

function problemAt(expression: string, offset: number): string {
  const rest = expression.slice(offset).trim();
  if (rest === '') return 'the expression ends too early';
  return `not PromQL from column ${offset + 1} on: ${rest.slice(0, 40)}`;
}

function readSelector(node: SyntaxNode, expression: string): PromqlSelector {
  const textOf = (part: SyntaxNode | null): string =>
    part === null ? '' : expression.slice(part.from, part.to);
  const name = node.getChild('Identifier');
  const list = node.getChild('LabelMatchers');
  const matchers = (list?.getChildren('UnquotedLabelMatcher') ?? []).flatMap((matcher) => {
    const operator = operatorOf(textOf(matcher.getChild('MatchOp')));
    const label = textOf(matcher.getChild('LabelName'));
    const value = unquoted(textOf(matcher.getChild('StringLiteral')));
    return operator === undefined ? [] : [{ label, operator, value }];
  });
  const named = matchers.find(({ label, operator }) => label === '__name__' && operator === '=');
  return { metric: name === null ? named?.value : textOf(name), matchers };
}

function operatorOf(text: string): LabelMatcher['operator'] | undefined {
  return (['=', '!=', '=~', '!~'] as const).find((operator) => operator === text);
}

/** Takes the quotes away; of the escapes only those of quotes and backslashes occur in matchers. */
function unquoted(literal: string): string {
  const inner = literal.slice(1, -1);
  return literal.startsWith('`') ? inner : inner.replace(/\\(["'\\])/g, '$1');
}
