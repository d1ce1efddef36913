import { run } from 'setpoint'
import monitoring from './operator.ts'
await run([monitoring])
