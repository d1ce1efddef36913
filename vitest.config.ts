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
 * Runs the longest tests first, even without an earlier measurement, as on a fresh machine. Vitest
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
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/models/**/*.test.ts',
      'operators/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    setupFiles: ['test/property-seed.ts'],
    sequence: { sequencer: LongestFirst },
    // Vitest leaves one core free by default. Here one file more than there are cores runs at a
    // time, because many files wait for processes.
    maxWorkers: availableParallelism() + 1,
    // Our modules have no state, so test files share them. That takes half the time, and tests that
    // the modules have no state.
    isolate: false,
    // Tests create and stop hundreds of clusters. More room for young objects makes them a tenth
    // faster, because fewer garbage collections run.
    execArgv: ['--max-semi-space-size=64'],
    // For concurrent tests, which are the executed documents. Each starts clusters and operators.
    maxConcurrency: 3,
    // A limit for tests that never end. It is generous, because the machine may be shared: at a load
    // of 30, a test in virtual time took 22 s instead of 0.6 s.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
