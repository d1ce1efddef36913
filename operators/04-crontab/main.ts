import { run } from 'setpoint'
import cronTab from './operator.ts'
await run([cronTab])
