import { run } from 'setpoint'
import application from './operator.ts'
await run([application])
