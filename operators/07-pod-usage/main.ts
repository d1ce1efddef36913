import { run } from 'setpoint'
import usage from './operator.ts'
await run([usage])
