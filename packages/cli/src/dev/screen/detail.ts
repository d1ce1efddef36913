import type { Style } from '../../command/index.ts'
import { conditionText, durationText, type ShownObject } from '../view.ts'
import { type DevState, objectId } from './dev-state.ts'
import { fieldFirst, plain, wrapped } from './text.ts'

/** Everything about one object: its conditions, children, Events and reconciles. */
export function detailLines(
  { details, runs }: DevState,
  object: ShownObject,
  { columns, style }: { readonly columns: number; readonly style: Style },
): string[] {
  const { kind, key, conditions, isTerminating } = object
  const known = details?.of === objectId(object) ? details : undefined
  const own = runs.filter((run) => run.key === key).toReversed()
  const loading = known === undefined ? ['  loading ...'] : undefined
  return [
    '',
    style.bold(`${kind} ${key}${isTerminating ? '  terminating' : ''}`),
    ...section(
      'Conditions',
      conditions.flatMap((condition) => [
        `  ${conditionText(condition)}`,
        ...(condition.message ? wrapped(fieldFirst(condition.message), columns, 4) : []),
      ]),
    ),
    ...section('Children', loading ?? (known?.children ?? []).map((child) => `  ${plain(child)}`)),
    ...section(
      'Events',
      loading ?? (known?.events ?? []).flatMap((event) => wrapped(event, columns, 2)),
    ),
    ...section(
      'Reconciles, the latest first',
      own.flatMap(({ time, result, durationMs, reasons, error }) => [
        ...wrapped(
          `${time} ${result}  ${durationText(durationMs)}  ${reasons.join('; ')}`,
          columns,
        ),
        ...(error === undefined ? [] : wrapped(fieldFirst(error.message), columns, 4)),
        ...(error?.at === undefined ? [] : [`    at ${error.at}`]),
      ]),
    ),
  ]

  function section(title: string, lines: readonly string[]): string[] {
    return ['', style.bold(title), ...(lines.length === 0 ? ['  none'] : lines)]
  }
}
