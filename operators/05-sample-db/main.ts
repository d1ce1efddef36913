import { run } from 'setpoint'
import databases from './operator.ts'
await run([databases])
