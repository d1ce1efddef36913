import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeHost } from './node-host.ts'

/**
 * Starts a program that leaves its group and one that does not, prints their process ids and waits.
 */
const program = `
  const { nodeHost } = await import(process.argv[1])
  const host = nodeHost()
  const { path } = await host.temporaryDirectory()
  const env = { PATH: process.env.PATH }
  const args = ['-c', 'setsid sleep 300 & echo $!; sleep 300 & echo $!; wait']
  const shell = await host.startCommand('sh', { args, env, directory: path })
  let reported = ''
  for await (const chunk of shell.stdout) {
    reported += new TextDecoder().decode(chunk)
    if (reported.split('\\n').length === 3) break
  }
  host.log(JSON.stringify({ path, pids: [shell.pid, ...reported.trim().split('\\n').map(Number)] }))
`

const host = nodeHost({ log: () => undefined })

interface Victim {
  readonly pid: number
  readonly directory: string
  readonly supervisor: number
  /** The processes that it has started. */
  readonly pids: readonly number[]
}

async function victim(): Promise<Victim> {
  const module = new URL('./index.ts', import.meta.url).href
  const args = ['--import', 'tsx', '--input-type=module', '-e', program, module]
  const running = await host.startCommand(process.execPath, {
    args,
    env: { PATH: process.env['PATH'] ?? '' },
  })
  onTestFinished(() => running.kill('SIGKILL'))
  let reported = ''
  for await (const chunk of running.stdout) {
    reported += new TextDecoder().decode(chunk)
    if (reported.endsWith('\n')) break
  }
  const { path, pids } = JSON.parse(reported) as { path: string; pids: number[] }
  const directory = dirname(path)
  return { pid: running.pid, directory, supervisor: await supervisorOf(directory), pids }
}

/** It prints its id when it runs, which may be after the first program has started. */
async function supervisorOf(directory: string): Promise<number> {
  const file = `${directory}/.supervisor`
  for (let look = 0; look < 500; look += 1) {
    const reported = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (reported.endsWith('\n')) return Number(reported)
    await host.sleep(20)
  }
  throw new Error(`${file} was not written`)
}

async function isCleanedUp({ directory, pids }: Victim): Promise<boolean> {
  for (let look = 0; look < 500; look += 1) {
    const left = pids.filter((pid) => existsSync(`/proc/${pid}`) && !isZombie(pid))
    if (left.length === 0 && !existsSync(directory)) return true
    await host.sleep(20)
  }
  return false
}

/** In a container dead processes may stay as zombies. */
function isZombie(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** Finds processes by /proc. */
const hasNoProc = !existsSync('/proc/self/environ')
const why = 'this system has no /proc'

test('leaves no programs and no directory when the process is killed', async ({ skip }) => {
  skip(hasNoProc, why)
  const killed = await victim()
  expect(killed.pids).toHaveLength(3)
  expect(killed.pids.every((pid) => existsSync(`/proc/${pid}`))).toBe(true)
  process.kill(killed.pid, 'SIGKILL')
  expect(await isCleanedUp(killed)).toBe(true)
})

test('removes the leftovers of a killed supervisor with the next one', async ({ skip }) => {
  skip(hasNoProc, why)
  const killed = await victim()
  process.kill(killed.supervisor, 'SIGKILL')
  process.kill(killed.pid, 'SIGKILL')
  await using _directory = await nodeHost().temporaryDirectory()
  expect(await isCleanedUp(killed)).toBe(true)
})

test('keeps a directory that is in use', async ({ skip }) => {
  skip(hasNoProc, why)
  const living = await victim()
  await using _directory = await nodeHost().temporaryDirectory()
  await using _another = await nodeHost().temporaryDirectory()
  expect(existsSync(living.directory)).toBe(true)
})
