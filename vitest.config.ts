import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Tests read the sources, not a build: the same export condition tsc uses (see tsconfig.json). The
// others are Node's: Node cannot load all builds for bundlers (`module`).
const conditions = ['@setpoint/source', 'node', 'import', 'default']

/**
 * The longest tests, which mostly wait for processes. They start first: at the end each of them
 * would run alone.
 */
const first = [
  'test/walkthroughs/walkthroughs.test.ts',
  'operators/05-sample-db/process.test.ts',
  'test/package/published-package.test.ts',
  'test/dev-process.test.ts',
  'test/workloads/scenarios.test.ts',
]

/**
 * Runs the longest tests first, also without an earlier measurement, as on a fresh machine. Vitest
 * would sort by file size there.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = first.findIndex((path) => moduleId.endsWith(`/${path}`))
      return index < 0 ? first.length : index
    }
    return (await super.sort(files)).sort((left, right) => place(left) - place(right))
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'operators/**/*.test.ts', 'test/**/*.test.ts'],
    sequence: { sequencer: LongestFirst },
    // Vitest leaves one core free by default; here one file more than there are cores, because many wait for processes.
    maxWorkers: availableParallelism() + 1,
    // Our modules hold no state, so test files may share them: half of the time, and a test of that.
    isolate: false,
    // Clusters come and go by the hundred: with room for young objects a tenth less time goes into collecting them.
    execArgv: ['--max-semi-space-size=64'],
    // Of tests that say they can run beside each other: documents, each of which starts clusters and operators.
    maxConcurrency: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
