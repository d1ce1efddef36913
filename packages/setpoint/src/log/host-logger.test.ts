import { expect, test } from 'vitest'
import { virtualHost, type VirtualHostOptions } from '../host/index.ts'
import { SetpointError } from '../errors/index.ts'
import { hostLogger, type LogLevel } from './index.ts'

function logging(options: Partial<VirtualHostOptions> = {}, level?: LogLevel) {
  const host = virtualHost({ seed: 1, ...options })
  const log = hostLogger(host, { level })
  const records = () => host.logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { host, log, records }
}

test("writes a record as a line of pino's JSON", () => {
  const { log, records } = logging()
  log.info({ key: 'default/web', count: 2 }, 'made')
  log.warn('alone')
  log.error({ only: 'fields' })
  const time = Date.UTC(2030, 0, 1)
  expect(records()).toEqual([
    { level: 30, time, key: 'default/web', count: 2, msg: 'made' },
    { level: 40, time, msg: 'alone' },
    { level: 50, time, only: 'fields' },
  ])
})

test('does not let fields replace level and time', () => {
  const { host, log } = logging()
  log.info({ level: 'mine', time: 'later' }, 'x')
  expect(host.logged).toEqual([`{"level":30,"time":${Date.UTC(2030, 0, 1)},"msg":"x"}`])
})

test('writes type, message, code and stack of an error, including its causes', () => {
  const { log, records } = logging()
  const cause = new TypeError('below')
  log.error({ err: new SetpointError('ABORTED', 'above', { cause }) }, 'failed')
  log.error(new Error('bare'))
  log.error({ err: 'a text that was thrown' }, 'odd')
  const [first, second, third] = records()
  expect(first).toMatchObject({
    err: { type: 'SetpointError', code: 'ABORTED', message: 'above' },
    msg: 'failed',
  })
  const { stack } = first?.['err'] as { stack: string }
  expect(stack).toMatch(/above[^]*caused by: TypeError: below/)
  expect(second).toMatchObject({ err: { type: 'Error', message: 'bare' }, msg: 'bare' })
  expect(third).toMatchObject({ err: 'a text that was thrown' })
})

test('adds the fields of a child logger and its parent', () => {
  const { log, records } = logging()
  log.child({ operator: 'a' }).child({ key: 'b' }).info({ key: 'c' }, 'x')
  expect(records()[0]).toMatchObject({ operator: 'a', key: 'c', msg: 'x' })
})

test('takes the level from the option, from LOG_LEVEL, or info', () => {
  const said = (options: Partial<VirtualHostOptions>, level?: LogLevel) => {
    const { log, records } = logging(options, level)
    for (const name of ['trace', 'debug', 'info', 'warn', 'error'] as const) log[name](name)
    return records().map(({ msg }) => msg)
  }
  expect(said({})).toEqual(['info', 'warn', 'error'])
  expect(said({ env: { LOG_LEVEL: 'DEBUG' } })).toEqual(['debug', 'info', 'warn', 'error'])
  expect(said({ env: { LOG_LEVEL: 'debug' } }, 'error')).toEqual(['error'])
  expect(said({}, 'silent')).toEqual([])
  expect(said({ env: { LOG_LEVEL: 'loud' } })).toEqual([
    'LOG_LEVEL is not one of trace, debug, info, warn, error, silent: using info',
    'info',
    'warn',
    'error',
  ])
})

test('redacts secrets everywhere', () => {
  const { host, log } = logging()
  const data = { key: 'aGlkZGVu' }
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'hidden' }
  log.info({
    authorization: 'hidden',
    headers: { Authorization: 'hidden', 'set-cookie': 'hidden', accept: 'json' },
    user: { token: 'hidden', password: 'hidden', 'client-key-data': 'hidden', name: 'jane' },
    object: { kind: 'Secret', metadata: { annotations }, data, stringData: { key: 'hidden' } },
    list: { kind: 'SecretList', items: [{ data }] },
    config: { kind: 'ConfigMap', data: { shown: 'yes' } },
  })
  log.child({ secret: { kind: 'Secret', data } }).info('x')
  const text = host.logged.join()
  expect(text).not.toContain('hidden')
  expect(text).not.toContain(data.key)
  expect(text).toContain('"accept":"json"')
  expect(text).toContain('"shown":"yes"')
  expect(text).toContain('"name":"jane"')
})

test('never throws and writes a finite line', () => {
  const { host, log } = logging()
  const round: Record<string, unknown> = { at: new Date(0), bytes: new Uint8Array(3), big: 1n }
  round['again'] = [round, round, round]
  const throwing = {
    get field(): string {
      throw new Error('no')
    },
    nested: {
      toJSON: () => {
        throw new Error('no')
      },
    },
  }
  log.info(
    {
      round,
      throwing,
      symbol: Symbol('x'),
      run: () => 1,
      long: 'x'.repeat(1_000_000),
      many: Array(10_000).fill('y'),
    },
    'z',
  )
  const [line = ''] = host.logged
  expect(line.length).toBeLessThan(200_000)
  expect(JSON.parse(line)).toMatchObject({
    round: { at: '1970-01-01T00:00:00.000Z', bytes: '[3 bytes]', big: '1' },
    throwing: { field: '[unreadable]', nested: '[unreadable]' },
    msg: 'z',
  })
})

test('writes a readable line at a terminal, with colours unless disabled', () => {
  const plain = logging({ isTerminal: true, env: { NO_COLOR: '1' } })
  plain.log.info({ key: 'default/web', text: 'two words' }, 'made')
  plain.log.warn(
    { err: { type: 'E', message: 'refused', code: 'API_CONFLICT' } },
    'reconcile failed',
  )
  plain.log.info('a\u001b[31m\nsecond line')
  expect(plain.host.logged).toEqual([
    '00:00:00.000Z INFO  made  key=default/web  text="two words"',
    '00:00:00.000Z WARN  reconcile failed: refused (API_CONFLICT)',
    '00:00:00.000Z INFO  a [31m second line',
  ])
  const coloured = logging({ isTerminal: true })
  coloured.log.error({ err: new Error('why') }, 'broken')
  const [line = ''] = coloured.host.logged
  expect(line).toContain('\u001b[31mERROR\u001b[0m broken: why')
  expect(line).toMatch(/\n.* {4}at /)
})
