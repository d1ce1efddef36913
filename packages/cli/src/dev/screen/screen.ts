import { counted, type Style } from '../../command/index.ts'
import {
  conditionText,
  durationText,
  type ShownObject,
  simulationText,
  typeErrorText,
} from '../view.ts'
import { detailLines } from './detail.ts'
import { type DevState, type TimedRun, objectId } from './dev-state.ts'
import { firstOrSelected, fit, latestLast, type Section } from './section.ts'
import { cut, fieldFirst, plain, shellLines, wrapped } from './text.ts'

/** The size and the style of the screen. */
interface Screen {
  readonly columns: number
  readonly rows: number
  readonly style: Style
}

/**
 * The lines of the screen: the cluster and the phase, the newest failure, the objects with their
 * conditions, the latest reconciles with their reasons, the latest lines of the log; or one object
 * with its details. Never more rows or columns than the screen.
 */
export function screenOf(state: DevState, screen: Screen): string[] {
  const { style, rows, columns } = screen
  const head = headOf(state, screen)
  const foot = ['', style.dim(offeredKeys(state))]
  const left = Math.max(rows - head.length - foot.length - 1, 0)
  const opened = state.isOpen ? state.objects.get(state.selected ?? '') : undefined
  const body = opened === undefined ? overview(state, screen, left) : detail(opened)
  return [...head, ...body, ...foot].slice(0, rows).map((line) => cut(line, columns))

  function detail(object: ShownObject): string[] {
    const lines = detailLines(state, object, screen)
    const from = Math.max(0, Math.min(state.scroll, lines.length - left))
    return lines.slice(from, from + left)
  }
}

function overview(state: DevState, screen: Screen, rows: number): string[] {
  const { style } = screen
  const failed = newestFailure(state.runs)
  const runs = state.runs.slice(-Math.max(5, Math.floor(rows / 3)))
  const ids = [...state.objects.keys()]
  const selected = Math.max(0, ids.indexOf(state.selected ?? ''))
  return fit(
    [
      whole(failureOf(state, screen)),
      latestLast('Type errors', typesOf(state, style), { style }),
      whole(newestFailureLines(failed, screen)),
      whole(simulationOf(state, screen)),
      firstOrSelected('Objects', objectsOf(state, style), { style, selected }),
      latestLast('Reconciles', runsOf(runs, style, failed), { style }),
      latestLast('Log', linesOf(state, style), { style, scroll: state.scroll }),
    ],
    rows,
  )
}

function offeredKeys({ phase, cluster, isOpen }: DevState): string {
  if (phase === 'stopping') return 'waiting for running reconciles; press Ctrl-C to end them'
  if (isOpen) return 'esc back   page up/down scroll   q quit'
  if (cluster?.hasOperators === false) return 'a apply samples   q quit'
  return '↑↓ select   enter details   r reload   a apply samples   q quit'
}

function headOf(state: DevState, { style, columns }: Screen): string[] {
  const { cluster, phase, operators, runCount } = state
  const names = operators.map(({ name }) => name).join(', ')
  const isRunning = phase === 'working' || cluster?.hasOperators === false
  const dot = isRunning && phase !== 'stopping' ? style.green('●') : style.yellow('●')
  const doing =
    cluster?.hasOperators === false && phase !== 'stopping'
      ? 'a cluster without operators (--cluster-only)'
      : `${phase}${names === '' ? '' : `  ${names}`}${style.dim(`  ${counted(runCount, 'reconcile')}`)}`
  return [
    `${style.bold('setpoint dev')}  ${cluster?.title ?? ''}`,
    ...(cluster?.commands ?? []).flatMap((command) =>
      shellLines(command, columns).map((line) => style.dim(line)),
    ),
    `${dot} ${doing}`,
  ]
}

/** Lines that are shown from the beginning, in whatever room there is. */
function whole(lines: readonly string[]): Section {
  return { lines, min: 3, shrink: (rows) => lines.slice(0, rows) }
}

/** Sources that failed to load. */
function failureOf({ failure }: DevState, { style, columns }: Screen): string[] {
  if (failure === undefined) return []
  const { error, isOldWorking } = failure
  const at = error.at === undefined ? [] : [`  at ${error.at}`]
  const next = isOldWorking ? 'the previous operators keep running' : 'no operators are running'
  const message = error.message.split('\n').flatMap((line) => wrapped(line, columns, 0))
  return [
    '',
    ...[...message, ...at].map((line) => style.red(line)),
    style.dim(`  ${next}; save a file to try again`),
  ]
}

/** The latest failure of an object that has not been reconciled successfully since. */
function newestFailure(runs: readonly TimedRun[]): TimedRun | undefined {
  return runs.findLast(
    (run, index) =>
      run.error !== undefined &&
      !runs
        .slice(index + 1)
        .some(({ key, operator }) => key === run.key && operator === run.operator),
  )
}

function newestFailureLines(run: TimedRun | undefined, { style, columns }: Screen): string[] {
  if (run?.error === undefined) return []
  const { key, time, error } = run
  const at = error.at === undefined ? [] : [`  at ${error.at}`]
  const lines = [...wrapped(fieldFirst(error.message), columns), ...at]
  return ['', style.bold(`Failed: ${key}  ${time}`), ...lines.map((line) => style.red(line))]
}

/** How many type errors the screen shows. */
const typeErrorsMax = 3

function typesOf({ typeErrors }: DevState, style: Style): string[] {
  const shown = typeErrors
    .slice(0, typeErrorsMax)
    .flatMap((error) => typeErrorText(error).split('\n'))
    .map((line) => style.red(`  ${plain(line)}`))
  const more = typeErrors.length - typeErrorsMax
  return more > 0 ? [...shown, style.dim(`  and ${more} more; npx tsc lists them`)] : shown
}

/** How many lines of a story the screen shows. */
const storyLinesMax = 10

/** The simulation of the present sources: one line, or the story of the first finding. */
function simulationOf({ simulation }: DevState, { style, columns }: Screen): string[] {
  if (simulation === undefined) return []
  const isFound = simulation.is === 'simulated' && simulation.stories.length > 0
  const lines = simulationText(simulation, 0)
    .split('\n')
    .slice(0, storyLinesMax)
    .flatMap((line) => wrapped(line.trimStart(), columns, 2 + line.search(/\S|$/)))
  return ['', style.bold('Simulation'), ...lines.map((line) => (isFound ? style.red(line) : line))]
}

function objectsOf({ objects, selected }: DevState, style: Style): string[] {
  const shown = [...objects.values()]
  const width = Math.max(0, ...shown.map(({ kind, key }) => kind.length + key.length + 1))
  return shown.map((object) => {
    const { kind, key, conditions, isTerminating } = object
    const states = conditions.map((condition) => {
      const text = conditionText(condition)
      if (condition.status === 'True') return style.green(text)
      return `${style.yellow(text)} ${style.dim(plain(fieldFirst(condition.message ?? '')))}`
    })
    const state = isTerminating ? style.yellow('terminating') : states.join('  ')
    const mark = objectId(object) === selected ? style.cyan('›') : ' '
    return `${mark} ${`${kind} ${key}`.padEnd(width)}  ${state}`
  })
}

function runsOf(runs: readonly TimedRun[], style: Style, failed: TimedRun | undefined): string[] {
  return runs.flatMap((run) => {
    const { key, result, durationMs, reasons, error, time } = run
    const mark = error === undefined ? style.green('✓') : style.red('✗')
    const why = style.dim(plain(reasons.join('; ')))
    const line = `  ${style.dim(time)} ${mark} ${key}  ${result}  ${durationText(durationMs)}  ${why}`
    if (error === undefined || run === failed) return [line]
    const at = error.at === undefined ? '' : ` at ${error.at}`
    return [line, style.red(`    ${plain(fieldFirst(error.message))}${at}`)]
  })
}

function linesOf({ lines }: DevState, style: Style): string[] {
  return lines.map(({ level, text, time }) => {
    const line = plain(text)
    const shown = level === 'error' ? style.red(line) : level === 'warn' ? style.yellow(line) : line
    return `  ${style.dim(time)} ${shown}`
  })
}
