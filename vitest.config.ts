import { defineConfig } from 'vitest/config'

// Tests read the sources, not a build: the same export condition tsc uses (see tsconfig.json). The others are Node's:
// builds for bundlers (`module`) are not always such that Node can load them.
const conditions = ['@setpoint/source', 'node', 'import', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'operators/**/*.test.ts', 'test/**/*.test.ts'],
    // Vitest leaves one core free by default; on two cores that would be half of the machine.
    maxWorkers: '100%',
    // Our modules hold no state, so test files may share them: half of the time, and a test of that.
    isolate: false,
    // Of tests that say they can run beside each other: documents, each of which starts clusters and operators.
    maxConcurrency: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
