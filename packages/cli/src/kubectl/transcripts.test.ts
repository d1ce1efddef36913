import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCluster } from '@setpoint/cluster'
import { nodeHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { kubectlWorld } from './testdata/kubectl-world.ts'
import {
  normalised,
  type Outcome,
  readTranscript,
  type TranscriptStep,
  wordsOf,
} from './testdata/replay-transcript.ts'

/**
 * The transcripts are the output of kubectl 1.36 on the embedded cluster. With
 * `KUBECTL=/path/to/kubectl` they are compared with that kubectl again.
 */
const folder = fileURLToPath(new URL('testdata/', import.meta.url))
const manifests = join(folder, 'manifests')
const transcripts = readdirSync(join(folder, 'transcripts')).sort()

function stepsOf(name: string): TranscriptStep[] {
  return readTranscript(readFileSync(join(folder, 'transcripts', name), 'utf8'))
}

function comparable({ stdout, stderr, exitCode }: Outcome): Outcome {
  return { stdout: normalised(stdout), stderr: normalised(stderr), exitCode }
}

function manifestFiles(): Record<string, Uint8Array> {
  return Object.fromEntries(
    readdirSync(manifests).map((name) => [name, readFileSync(join(manifests, name))]),
  )
}

test.each(transcripts)('%s: has the output and the exit codes of kubectl', async (name) => {
  await using world = await kubectlWorld(manifestFiles())
  for (const step of stepsOf(name)) {
    const outcome = await world.run(wordsOf(step.command))
    expect(comparable(outcome), `${name}:${step.line}: kubectl ${step.command}`).toEqual(
      comparable(step),
    )
  }
})

const compared = process.env['KUBECTL'] === undefined ? [] : transcripts

test.each(compared)('%s: equals the output of the real kubectl', async (name) => {
  await using cluster = await createCluster({ host: nodeHost() })
  const home = mkdtempSync(join(tmpdir(), 'setpoint-transcripts-'))
  writeFileSync(join(home, 'kubeconfig'), cluster.kubeconfig(), { mode: 0o600 })
  try {
    for (const step of stepsOf(name)) {
      const outcome = await runReal(home, wordsOf(step.command))
      await cluster.settle()
      expect(comparable(step), `${name}:${step.line}: kubectl ${step.command}`).toEqual(
        comparable(outcome),
      )
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

async function runReal(home: string, args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.env['KUBECTL'] ?? '', args, {
    cwd: manifests,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { HOME: home, KUBECONFIG: join(home, 'kubeconfig'), PATH: process.env['PATH'] ?? '' },
  })
  const outcome = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (outcome.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (outcome.stderr += chunk.toString()))
  const exitCode = await new Promise<number>((resolve) =>
    child.on('close', (code) => resolve(code ?? 1)),
  )
  return { ...outcome, exitCode }
}
