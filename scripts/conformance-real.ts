// Runs the conformance cases on a real kube-apiserver and on the embedded one and compares the answers:
//
//     npm run conformance:real                 starts a control plane from KUBEBUILDER_ASSETS
//     npm run conformance:real -- --kubeconfig FILE   uses a running one
//     ... --etcd URL                           the address of its etcd, for cases that compact
//     ... --record                             also writes the answers of the real one to recorded/
//     ... --only NAME                          only files or cases whose name contains NAME
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allCases } from '../test/conformance/all-cases.ts'
import type { Answer } from '../test/conformance/conformance-case.ts'
import { differencesOf, shownDifference } from '../test/conformance/differences.ts'
import {
  readRecorded,
  writeRecorded,
  type RecordedAnswers,
} from '../test/conformance/recorded-answers.ts'
import { runCase } from '../test/conformance/run-case.ts'
import { embeddedTarget, runningTarget, type Target } from '../test/conformance/target.ts'
import { startControlPlane } from './control-plane.ts'

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    etcd: { type: 'string' },
    record: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})

async function compare(real: Target, embedded: Target): Promise<number> {
  let differences = 0
  let count = 0
  const run = Math.floor(Date.now() / 1000).toString(36)
  for (const [file, cases] of Object.entries(allCases)) {
    const recorded = new Map<string, readonly Answer[]>()
    for (const [index, entry] of cases.entries()) {
      if (!`${file} ${entry.name}`.includes(values.only)) continue
      const namespace = `case-${file}-${index}-${run}`
      let expected: Answer[]
      try {
        expected = await runCase(real, entry, namespace)
      } catch (error) {
        // A script that cannot run is an error of the script.
        differences += 1
        console.log(`${file}: ${entry.name}\n  real: ${String(error)}`)
        continue
      }
      recorded.set(entry.name, expected)
      count += 1
      const actual = await runCase(embedded, entry, namespace).catch((error: unknown): string =>
        String(error),
      )
      const found = differencesOf(expected, actual).map(shownDifference)
      if (found.length > 0 && entry.differs === undefined) {
        differences += 1
        console.log([`${file}: ${entry.name}`, ...found.slice(0, shownMax)].join('\n  '))
      }
      if (found.length === 0 && entry.differs !== undefined) {
        console.log(
          `${file}: ${entry.name}\n  no longer differs: remove it from known-differences.ts`,
        )
      }
    }
    if (values.record) write(file, recorded)
  }
  console.log(`${count} cases, ${differences} with differences`)
  return differences
}

const shownMax = 6

/** Keeps the recorded answers of cases that did not run. */
function write(file: string, recorded: RecordedAnswers): void {
  const before = readRecorded(file)
  const entries = (allCases[file] ?? []).flatMap(({ name }): [string, readonly Answer[]][] => {
    const answers = recorded.get(name) ?? before.get(name)
    return answers === undefined ? [] : [[name, answers]]
  })
  writeRecorded(file, new Map(entries))
}

const folder = mkdtempSync(join(tmpdir(), 'setpoint-conformance-'))
const plane = values.kubeconfig === undefined ? await startControlPlane(folder) : undefined
try {
  await using embedded = await embeddedTarget()
  await using real = await runningTarget(
    values.kubeconfig ?? plane?.kubeconfig ?? '',
    values.etcd ?? plane?.etcdUrl,
  )
  process.exitCode = (await compare(real, embedded)) === 0 ? 0 : 1
} finally {
  await plane?.stop()
  rmSync(folder, { recursive: true, force: true })
}
