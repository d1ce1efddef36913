import { planText } from '../plans/plan-text.ts'
import type { Finding } from '../report/finding.ts'

/** How a test reaches what it needs, from its own folder. */
export interface TestFileOptions {
  /** The module whose default export are the operators: `../src/operators.ts`. */
  readonly operators: string
  /** The file of the plan: `./shops-o2-crash-after-1-step-0.json`. */
  readonly plan: string
  /** Whether the modules of the program are evaluated for each process, with `fromFile`. */
  readonly isFresh?: boolean
}

/** A test that repeats a finding, and fails until it is fixed. */
export function testFileOf(
  finding: Finding,
  { operators, plan, isFresh = false }: TestFileOptions,
): string {
  const { oracle, problem, story } = finding
  const title = `${oracle}, ${planText(finding.plan)}: ${problem}`
  const { imports, url, program } = isFresh
    ? {
        imports: ["import { fromFile, planOptions, readPlanFile, simulate } from '@setpoint/sim'"],
        url: [`const operators = new URL(${quoted(operators)}, import.meta.url)`],
        program: 'await fromFile(operators)',
      }
    : {
        imports: ["import { planOptions, readPlanFile, simulate } from '@setpoint/sim'"],
        url: [],
        program: '[exported].flat()',
      }
  return [
    '// Written by setpoint sim. The test fails until this is fixed:',
    '//',
    commented(story),
    "import { readFile } from 'node:fs/promises'",
    ...imports,
    "import '@setpoint/sim/vitest'",
    "import { expect, test } from 'vitest'",
    ...(isFresh ? [] : [`import exported from ${quoted(operators)}`]),
    '',
    ...url,
    `const file = new URL(${quoted(plan)}, import.meta.url)`,
    '',
    `test(${quoted(title)}, { timeout: 300_000 }, async () => {`,
    `  const program = ${program}`,
    "  const plan = readPlanFile(await readFile(file, 'utf8'))",
    '  expect(await simulate(program, planOptions(plan, program))).toHaveNoFindings()',
    '})',
    '',
  ].join('\n')
}

function commented(text: string): string {
  return text
    .split('\n')
    .map((line) => `// ${line}`.trimEnd())
    .join('\n')
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
