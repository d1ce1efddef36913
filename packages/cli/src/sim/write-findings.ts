import { join, relative } from 'node:path'
import { fileNameOf, type Finding, planFileOf, planFileText, testFileOf } from '@setpoint/sim'
import type { Host } from 'setpoint/host'

/** Where the files of findings are written. */
interface FindingsPlace {
  readonly folder: string
  /** The module of the operators, which the tests import. */
  readonly operators: string
  /** Whether its modules are evaluated for each process. */
  readonly isFresh: boolean
}

/** The files of a finding, by their absolute paths. */
export interface FindingFiles {
  readonly finding: Finding
  readonly plan: string
  readonly test: string
}

/** Writes a plan and a test for each finding. */
export async function writeFindings(
  host: Host,
  findings: readonly Finding[],
  { folder, operators, isFresh }: FindingsPlace,
): Promise<FindingFiles[]> {
  if (findings.length > 0) await host.makeDirectory(folder)
  const used = new Map<string, number>()
  const written: FindingFiles[] = []
  for (const finding of findings) {
    const name = fileNameOf(finding)
    const count = (used.get(name) ?? 0) + 1
    used.set(name, count)
    const base = count === 1 ? name : `${name}-${count}`
    const [plan, test] = [join(folder, `${base}.json`), join(folder, `${base}.test.ts`)]
    const path = relative(folder, operators).replaceAll('\\', '/')
    const options = {
      operators: path.startsWith('.') ? path : `./${path}`,
      plan: `./${base}.json`,
      isFresh,
    }
    await host.writeFile(plan, planFileText(planFileOf(finding)))
    await host.writeFile(test, testFileOf(finding, options))
    written.push({ finding, plan, test })
  }
  return written
}
