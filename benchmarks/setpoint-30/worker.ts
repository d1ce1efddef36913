/** Measures the programs whose index arrives as a message, one after the other. */
import { measuredRun } from './measured-run.ts'
import { subjects } from './subjects.ts'

const [budget] = process.argv.slice(2) as `${number}s`[]
const all = subjects()

process.on('message', (index: number) => {
  const subject = all[index]
  if (subject === undefined) throw new Error(`the benchmark has no program ${index}`)
  void measuredRun(subject, budget).then((run) => process.send?.(run))
})
