import { run } from 'setpoint'
import tenants from './operator.ts'
await run([tenants])
