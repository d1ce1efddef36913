import { counted, type Style } from '../command/index.ts'
import type { DevState } from './dev-state.ts'
import { conditionText, durationText, typeErrorText } from './view.ts'

/** The size and the style of the screen. */
interface Screen {
  readonly columns: number
  readonly rows: number
  readonly style: Style
}

/**
 * The lines of the screen: the cluster and the phase, the objects with their conditions, the latest
 * reconciles with their reasons, the latest lines of the log. Never more rows or columns than the
 * screen.
 */
export function screenOf(state: DevState, screen: Screen): string[] {
  const { style, rows } = screen
  const head = headOf(state, screen)
  const offered =
    state.phase === 'stopping'
      ? 'waiting for running reconciles; press Ctrl-C to end them'
      : 'r reload   a apply samples   q quit'
  const foot = ['', style.dim(offered)]
  const left = Math.max(rows - head.length - foot.length - 1, 0)
  const failure = failureOf(state, style)
  const types = section('Type errors', typesOf(state, style), style)
  const objects = section('Objects', objectsOf(state, style), style)
  const runs = section(
    'Reconciles',
    runsOf(state, style).slice(-Math.max(5, Math.floor(left / 3))),
    style,
  )
  const lines = section('Log', linesOf(state, style), style)
  const body = fit([failure, types, objects, runs, lines], left)
  return [...head, ...body, ...foot].slice(0, rows).map((line) => cut(line, screen.columns))
}

function headOf({ cluster, phase, operators, runCount }: DevState, { style }: Screen): string[] {
  const names = operators.map(({ name }) => name).join(', ')
  const dot = phase === 'working' ? style.green('●') : style.yellow('●')
  return [
    `${style.bold('setpoint dev')}  ${cluster?.title ?? ''}`,
    ...(cluster?.commands ?? []).map((command) => style.dim(`  ${command}`)),
    `${dot} ${phase}${names === '' ? '' : `  ${names}`}${style.dim(`  ${counted(runCount, 'reconcile')}`)}`,
  ]
}

function failureOf({ failure }: DevState, style: Style): string[] {
  if (failure === undefined) return []
  const { error, isOldWorking } = failure
  const at = error.at === undefined ? [] : [`  at ${error.at}`]
  const next = isOldWorking ? 'the previous operators keep running' : 'no operators are running'
  return [
    '',
    ...[...error.message.split('\n'), ...at].map((line) => style.red(plain(line))),
    style.dim(`  ${next}; save a file to try again`),
  ]
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

function objectsOf({ objects }: DevState, style: Style): string[] {
  const shown = [...objects.values()]
  const width = Math.max(0, ...shown.map(({ kind, key }) => kind.length + key.length + 1))
  return shown.map(({ kind, key, conditions, isTerminating }) => {
    const states = conditions.map((condition) => {
      const text = conditionText(condition)
      if (condition.status === 'True') return style.green(text)
      return `${style.yellow(text)} ${style.dim(plain(condition.message ?? ''))}`
    })
    const state = isTerminating ? style.yellow('terminating') : states.join('  ')
    return `  ${`${kind} ${key}`.padEnd(width)}  ${state}`
  })
}

function runsOf({ runs }: DevState, style: Style): string[] {
  return runs.flatMap(({ key, result, durationMs, reasons, error }) => {
    const mark = error === undefined ? style.green('✓') : style.red('✗')
    const why = style.dim(plain(reasons.join('; ')))
    const line = `  ${mark} ${key}  ${result}  ${durationText(durationMs)}  ${why}`
    if (error === undefined) return [line]
    const at = error.at === undefined ? '' : ` at ${error.at}`
    return [line, style.red(`    ${plain(error.message)}${at}`)]
  })
}

function linesOf({ lines }: DevState, style: Style): string[] {
  return lines.map(({ level, text }) => {
    const line = `  ${plain(text)}`
    return level === 'error' ? style.red(line) : level === 'warn' ? style.yellow(line) : line
  })
}

/** Text of operators as one line without control sequences. */
function plain(text: string): string {
  const [first = '', ...others] = text.split('\u001b')
  const parts = others.map((part) => part.replace(/^(?:\[[0-?]*[ -/]*[@-~]|\]\P{Cc}*|.)/su, ''))
  return [first, ...parts].join('').replaceAll(/\p{Cc}+/gu, ' ')
}

function section(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ['', style.bold(title), ...lines]
}

/**
 * Cuts sections to the available rows: later sections lose their oldest lines, but keep the title.
 */
function fit(sections: readonly (readonly string[])[], rows: number): string[] {
  let left = rows
  return sections.flatMap((lines) => {
    const room = Math.max(left, 0)
    const shown =
      lines.length <= room
        ? lines
        : room <= 2
          ? []
          : [...lines.slice(0, 2), ...lines.slice(2).slice(-(room - 2))]
    left -= shown.length
    return shown
  })
}

/**
 * Cuts a line to the width. Colour codes have no width and are kept, including those that reset a
 * colour.
 */
function cut(line: string, columns: number): string {
  let room = columns
  const [first = '', ...parts] = line.split('\u001b[')
  const short = (words: string): string => {
    const shown = words.length <= room ? words : room === 0 ? '' : `${words.slice(0, room - 1)}…`
    room = Math.max(room - words.length, 0)
    return shown
  }
  const shown = [short(first)]
  for (const part of parts) {
    const end = part.indexOf('m') + 1
    shown.push(`\u001b[${part.slice(0, end)}${short(part.slice(end))}`)
  }
  return shown.join('')
}
