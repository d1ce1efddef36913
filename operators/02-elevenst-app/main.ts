import { run } from 'setpoint'
import elevenStApp from './operator.ts'
await run([elevenStApp])
