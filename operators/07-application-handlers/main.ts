import { run } from 'setpoint'
import applications from './operator.ts'
await run([applications])
