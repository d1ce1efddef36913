import { run } from 'setpoint'
import claims from './operator.ts'
await run([claims])
