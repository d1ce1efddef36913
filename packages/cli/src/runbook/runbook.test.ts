import { testWorld } from '@setpoint/cluster'
import { defineResource, isSetpointError, operator } from 'setpoint'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { CommandError, parseCommand } from '../command/index.ts'
import { runbookCommands } from '../commands/runbook-commands.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'

const Disk = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Disk',
  spec: z.object({ size: z.int32().default(1) }),
  runbooks: ['copy', 'check'],
})

const parameters = z.object({ target: z.string().default('a'), parts: z.int32().default(1) })

const disks = operator(Disk)
  .runbook('copy', { parameters }, ({ step }) => [
    step(
      'read',
      async (_, context) => `${context.parameters.parts} to ${context.parameters.target}`,
    ),
    step(
      'write',
      async (_, { sleep, parameters: { target } }) => {
        if (target === 'nowhere') throw new Error('no such target')
        await sleep('10s')
      },
      { retries: 0 },
    ),
  ])
  .runbook('check', {}, ({ step }) => [step('wait', { until: () => 'waiting without end' })])

async function diskWorld() {
  const world = await testWorld({
    operators: [disks],
    workloads: 'off',
    users: [{ name: 'guest' }],
  })
  onTestFinished(() => world[Symbol.asyncDispose]())
  // Loaded first: virtual time runs on while a module loads in real time.
  await import('./index.ts')
  await world.host.writeFile('/kubeconfig', world.cluster.kubeconfig())
  await world.client.create(Disk, { metadata: { name: 'd' }, spec: {} })
  const call = async (...words: string[]) => {
    const terminal = new RecordingTerminal()
    const line = parseCommand(runbookCommands, ['runbook', ...words, '--kubeconfig', '/kubeconfig'])
    if (line.wants !== 'run') throw new Error('not a command to run')
    const run = await line.command.load()
    const { signal } = new AbortController()
    const context = { host: world.host, terminal, folder: '/', signal }
    const { lines, notes } = terminal
    try {
      return { exitCode: await run(context, line.input), lines, notes, error: '' }
    } catch (error) {
      if (!(error instanceof CommandError) && !isSetpointError(error)) throw error
      const exitCode = error instanceof CommandError ? error.exitCode : 1
      return { exitCode, lines, notes, error: error.message }
    }
  }
  return { ...world, call }
}

test('start prints the steps and waits for the end', async () => {
  const { call } = await diskWorld()
  const copied = await call('start', 'copy', 'disk/d', '--param', 'target=b', '--param', 'parts=7')
  expect(copied).toMatchObject({ exitCode: 0, lines: ['copy 1: Complete, 2 steps complete'] })
  expect(copied.notes).toEqual(expect.arrayContaining(['read: Complete', 'write: Complete']))
  const failed = await call('start', 'copy', 'disk/d', '--param', 'target=nowhere')
  expect(failed).toMatchObject({ exitCode: 1, lines: ['copy 2: Failed, write: no such target'] })
  const { lines } = await call('status', 'disks.example.com/d')
  expect(lines).toEqual([
    'copy: Failed, run 2, 1/2 steps',
    expect.stringMatching(/^ {2}cause: request [-0-9a-f]{36}$/),
    '  write: no such target',
    '    read: Complete',
    '    write: Failed, no such target',
    '  run 1: Complete, 2 steps complete',
  ])
})

test('start reports a request that the operator refuses', async () => {
  const { call } = await diskWorld()
  const refused = await call('start', 'copy', 'disk/d', '--param', 'parts=many')
  expect(refused.exitCode).toBe(1)
  expect(refused.error).toMatch(/^the operator refused to start copy: .*parameters.parts/)
})

test('start reports that no operator notices the request', async () => {
  const { call, stop } = await diskWorld()
  await stop()
  const { error } = await call('start', 'copy', 'disk/d')
  expect(error).toBe('no operator has noticed the request to start copy of Disk default/d')
})

test('cancel ends a run', async () => {
  const { call, settle } = await diskWorld()
  expect((await call('cancel', 'check', 'disk/d')).error).toBe(
    'no run of check of Disk default/d is in progress',
  )
  await call('start', 'check', 'disk/d', '--no-wait')
  await settle()
  expect((await call('status', 'disk/d')).lines).toContain('    wait: Running, waiting without end')
  await call('cancel', 'check', 'disk/d')
  await settle()
  expect((await call('status', 'disk/d')).lines[0]).toBe('check: Cancelled, run 1, 0/1 steps')
})

test.each([
  [['start', 'copy', 'd'], 2, /"d" is not KIND\/NAME/],
  [['start', 'copy', 'disk/d', '--param', 'x'], 2, /--param x is not KEY=VALUE/],
  [['start', 'copy', 'disk/other'], 1, /Disk default\/other does not exist/],
  [['status', 'nothing/d'], 1, /has no kind "nothing"/],
])('refuses %j', async (words, exitCode, message) => {
  const { call } = await diskWorld()
  const refused = await call(...words)
  expect(refused.exitCode).toBe(exitCode)
  expect(refused.error).toMatch(message)
})

test('reports that the user is not allowed to patch the object', async () => {
  const { call, cluster, host } = await diskWorld()
  await host.writeFile('/kubeconfig', cluster.kubeconfig())
  const { error } = await call('start', 'copy', 'disk/d', '--context', 'guest')
  expect(error).toMatch(/forbidden|not allowed/)
})
