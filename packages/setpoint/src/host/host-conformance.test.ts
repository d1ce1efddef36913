import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { nodeHost, virtualHost } from './index.ts'
import type { Host, Signal } from './index.ts'

/** A host for all tests below, with functions to control it from outside. */
interface Subject extends AsyncDisposable {
  readonly host: Host
  /** A directory for the test. */
  readonly directory: string
  raise(signal: Signal): void
  /** Waits until a raised signal has been received. */
  settle(): Promise<void>
}

async function nodeSubject(): Promise<Subject> {
  const directory = await mkdtemp(`${tmpdir()}/setpoint-host-`)
  return {
    host: nodeHost({ log: () => undefined }),
    directory,
    raise: (signal) => process.emit(signal, signal),
    settle: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

async function virtualSubject(): Promise<Subject> {
  const host = virtualHost({
    seed: 1,
    env: { PATH: '/bin' },
    files: { '/given/file': 'content' },
    programs: {
      cat: async ({ input, print }) => {
        for await (const chunk of input) print(text(chunk))
        return 0
      },
    },
  })
  await host.remove('/given/file')
  return {
    host,
    directory: '/given',
    raise: (signal) => host.raise(signal),
    settle: () => host.settle(),
    [Symbol.asyncDispose]: () => Promise.resolve(host.stop()),
  }
}

function onEveryHost(sentence: string, check: (subject: Subject) => Promise<void>): void {
  for (const [name, create] of Object.entries({ node: nodeSubject, virtual: virtualSubject })) {
    test(`${sentence} (${name} host)`, async () => {
      await using subject = await create()
      await check(subject)
    })
  }
}

const text = (data: Uint8Array) => new TextDecoder().decode(data)

onEveryHost('has a monotonic clock that never goes back and a wall clock', async ({ host }) => {
  const before = host.monotonicMs()
  await host.sleep(0)
  expect(host.monotonicMs()).toBeGreaterThanOrEqual(before)
  expect(new Date(host.now()).getUTCFullYear()).toBeGreaterThan(2020)
})

onEveryHost('fires a timer once, and never after cancel', async ({ host }) => {
  const ran: string[] = []
  const cancelled = host.setTimer(0, () => ran.push('cancelled'))
  cancelled.cancel()
  await new Promise<void>((resolve) => {
    host.setTimer(-5, () => {
      ran.push('negative')
      resolve()
    })
  })
  const never = host.setTimer(Infinity, () => ran.push('never'))
  await host.sleep(0)
  never.cancel()
  never.cancel()
  expect(ran).toEqual(['negative'])
})

onEveryHost('refuses a delay that is not a number', async ({ host }) => {
  for (const delay of [NaN, undefined, null, '5', {}] as number[]) {
    expect(() => host.setTimer(delay, () => undefined)).toThrow(/not a number/)
    await expect(host.sleep(delay)).rejects.toMatchObject({ code: 'HOST_MISUSED' })
  }
  await host.sleep(1)
  expect(host.monotonicMs()).toBeGreaterThan(0)
})

onEveryHost('refuses a sleep with an invalid signal', async ({ host }) => {
  const sleeping = host.sleep(1, {} as AbortSignal)
  await expect(sleeping).rejects.toMatchObject({ code: 'HOST_MISUSED' })
})

onEveryHost('ends a sleep when its signal is aborted', async ({ host }) => {
  const stop = new AbortController()
  const { signal } = stop
  const sleeping = host.sleep(Infinity, signal)
  const short = host.sleep(0, signal)
  await short
  stop.abort(new Error('enough'))
  await expect(sleeping).rejects.toMatchObject({ code: 'ABORTED', cause: new Error('enough') })
  await expect(host.sleep(0, signal)).rejects.toMatchObject({ code: 'ABORTED' })
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

onEveryHost('returns random numbers, bytes and UUIDs', async ({ host }) => {
  const uuids = new Set(Array.from({ length: 100 }, () => host.uuid()))
  expect(uuids.size).toBe(100)
  for (const uuid of uuids) {
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  expect(host.randomBytes(33)).toHaveLength(33)
  expect(host.randomBytes(33)).not.toEqual(host.randomBytes(33))
  for (const count of [-1, 1.5, NaN, 2 ** 40]) {
    expect(() => host.randomBytes(count)).toThrow(/random bytes were requested/)
  }
  for (let count = 0; count < 100; count += 1) {
    const number = host.random()
    expect(number >= 0 && number < 1).toBe(true)
  }
})

onEveryHost('writes, replaces, lists, inspects and removes a file', async (subject) => {
  const { host, directory } = subject
  await host.makeDirectory(`${directory}/b/c`)
  await host.makeDirectory(`${directory}/b/c`)
  await host.writeFile(`${directory}/b/file`, 'first')
  await host.writeFile(`${directory}/b/file`, new Uint8Array([50, 110, 100]), { mode: 0o600 })
  await host.writeFile(`${directory}/a`, '')
  expect(text(await host.readFile(`${directory}/b/file`))).toBe('2nd')
  expect(await host.listDirectory(directory)).toEqual(['a', 'b'])
  expect(await host.listDirectory(`${directory}/b`)).toEqual(['c', 'file'])
  expect(await host.fileInfo(`${directory}/b/file`)).toMatchObject({
    sizeBytes: 3,
    isDirectory: false,
  })
  expect(await host.fileInfo(`${directory}/b`)).toMatchObject({ isDirectory: true })
  await host.remove(`${directory}/b`)
  await host.remove(`${directory}/b`)
  expect(await host.fileInfo(`${directory}/b/file`)).toBeUndefined()
  expect(await host.listDirectory(directory)).toEqual(['a'])
})

onEveryHost('explains a file error', async ({ host, directory }) => {
  const missing = { code: 'FILE_NOT_FOUND' }
  const unreadable = { code: 'FILE_UNREADABLE' }
  await host.writeFile(`${directory}/file`, 'x')
  await expect(host.readFile(`${directory}/no`)).rejects.toMatchObject(missing)
  await expect(host.readFile(`${directory}/file/below`)).rejects.toMatchObject(missing)
  await expect(host.listDirectory(`${directory}/no`)).rejects.toMatchObject(missing)
  await expect(host.writeFile(`${directory}/no/x`, 'x')).rejects.toMatchObject(missing)
  await expect(host.readFile(directory)).rejects.toMatchObject(unreadable)
  await expect(host.writeFile(directory, 'x')).rejects.toMatchObject(unreadable)
  await expect(host.makeDirectory(`${directory}/file`)).rejects.toMatchObject(unreadable)
  expect(await host.fileInfo(`${directory}/file/below`)).toBeUndefined()
  await host.remove(`${directory}/file/below`)
  expect(await host.listDirectory(directory)).toEqual(['file'])
})

onEveryHost('reads environment variables by name', async ({ host }) => {
  expect(host.env('PATH')).toMatch(/bin/)
  for (const name of ['SETPOINT_NO_SUCH_VARIABLE', 'constructor', '__proto__', 'toString']) {
    expect(host.env(name)).toBeUndefined()
  }
})

onEveryHost('delivers signals until unsubscribed', async (subject) => {
  const heard: string[] = []
  const hear = () => heard.push('again')
  const { host } = subject
  const first = host.onSignal('SIGHUP', hear)
  const second = host.onSignal('SIGHUP', hear)
  const other = host.onSignal('SIGTERM', () => heard.push('SIGTERM'))
  subject.raise('SIGHUP')
  await subject.settle()
  expect(heard).toEqual(['again', 'again'])
  first()
  subject.raise('SIGHUP')
  await subject.settle()
  expect(heard).toHaveLength(3)
  second()
  other()
})

onEveryHost('reports no terminal when the log goes to a program', async ({ host }) => {
  expect(host.isTerminal).toBe(false)
})

test('delivers an uncaught error to subscribers, and keeps the first exit code (virtual host)', async () => {
  using host = virtualHost({ seed: 1, isTerminal: true })
  const heard: unknown[] = []
  const stop = host.onUncaught((error, kind) => heard.push(kind, error))
  host.raiseUncaught('lost', 'rejection')
  await host.settle()
  stop()
  host.raiseUncaught('again', 'exception')
  await host.settle()
  expect(heard).toEqual(['rejection', 'lost'])
  expect(host.exitCode).toBeUndefined()
  host.exit(3)
  host.exit(0)
  expect(host.exitCode).toBe(3)
  expect(host.isTerminal).toBe(true)
})

const uncaughtProgram = `
  const { nodeHost } = await import(process.argv[1])
  const host = nodeHost()
  const stop = host.onUncaught((error, kind) => {
    host.log(kind + ' ' + error.message + ' ' + host.isTerminal)
    if (kind === 'rejection') setTimeout(() => { throw new Error('thrown') }, 0)
    else host.exit(4)
  })
  void Promise.reject(new Error('forgotten'))
  setInterval(() => undefined, 1000)
`

test('keeps the process alive on an uncaught error while subscribed (node host)', async () => {
  const module = new URL('./node/index.ts', import.meta.url).href
  const args = ['--import', 'tsx', '--input-type=module', '-e', uncaughtProgram, module]
  const result = await nodeHost().runCommand(process.execPath, { args })
  expect(result).toEqual({
    exitCode: 4,
    stdout: 'rejection forgotten false\nexception thrown false\n',
    stderr: '',
  })
})

test('runs a program without a shell, and returns its exit code (node host)', async () => {
  const host = nodeHost()
  const script = 'process.stdout.write(process.env.GREETING + process.argv[1]); process.exit(3)'
  const result = await host.runCommand(process.execPath, {
    args: ['-e', script, '; echo no shell'],
    env: { GREETING: 'hello ' },
  })
  expect(result).toEqual({ exitCode: 3, stdout: 'hello ; echo no shell', stderr: '' })
  await expect(
    host.runCommand(process.execPath, { args: ['-e', 'setInterval(Date, 9)'], timeoutMs: 50 }),
  ).rejects.toMatchObject({ code: 'COMMAND_FAILED' })
})

test('runs a function as a program (virtual host)', async () => {
  const host = virtualHost({
    seed: 1,
    commands: { greet: ({ args = [] }) => ({ stdout: `hello ${args.join()}` }) },
  })
  expect(await host.runCommand('greet', { args: ['world'] })).toEqual({
    exitCode: 0,
    stdout: 'hello world',
    stderr: '',
  })
})

onEveryHost('reports a program that does not exist', async ({ host }) => {
  await expect(host.runCommand('setpoint-no-such-program')).rejects.toMatchObject({
    code: 'COMMAND_FAILED',
    message: expect.stringContaining('ENOENT') as string,
  })
})

onEveryHost('runs a long-running program with input, output and signals', async ({ host }) => {
  const echo = await host.startCommand('cat', { env: { PATH: host.env('PATH') ?? '' } })
  const said = (async () => {
    let all = ''
    for await (const chunk of echo.stdout) all += text(chunk)
    return all
  })()
  await echo.write('hello ')
  await echo.write(new TextEncoder().encode('world'))
  echo.closeInput()
  expect(await echo.ended).toEqual({ exitCode: 0 })
  expect(await said).toBe('hello world')
  echo.kill('SIGTERM')
  const killed = await host.startCommand('cat', { env: { PATH: host.env('PATH') ?? '' } })
  killed.kill('SIGTERM')
  expect(await killed.ended).toEqual({ exitCode: 143, signal: 'SIGTERM' })
  await expect(host.startCommand('setpoint-no-such-program')).rejects.toMatchObject({
    code: 'COMMAND_FAILED',
    message: expect.stringContaining('ENOENT') as string,
  })
})

onEveryHost('creates an empty temporary directory and removes it on dispose', async ({ host }) => {
  const first = await host.temporaryDirectory()
  await using second = await host.temporaryDirectory()
  expect(first.path).not.toBe(second.path)
  await host.writeFile(`${first.path}/file`, 'x')
  expect(await host.listDirectory(second.path)).toEqual([])
  await first[Symbol.asyncDispose]()
  expect(await host.fileInfo(first.path)).toBeUndefined()
})
