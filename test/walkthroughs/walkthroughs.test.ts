import { test } from 'vitest'
import { runWalkthrough } from './run-walkthrough.ts'

/** The documents that are executed as written, from the root of the repository. */
const documents: readonly string[] = [
  'test/walkthroughs/testdata/conventions.md',
  'test/walkthroughs/testdata/notes/README.md',
  'operators/01-application/README.md',
  'operators/02-elevenst-app/README.md',
  'operators/03-memcached/README.md',
  'operators/04-crontab/README.md',
  'operators/05-sample-db/README.md',
]

/** Documents that start clusters take their time; the machine is shared. */
const documentMsMax = 240_000

test.concurrent.for(documents)(
  '%s says what happens',
  { timeout: documentMsMax },
  async (document) => {
    await runWalkthrough(document)
  },
)
