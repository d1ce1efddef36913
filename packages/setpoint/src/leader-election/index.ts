/**
 * leader-election/: leader election by a Lease.
 *
 * `new LeaderElection({ host, client, name }).run(work, signal)` waits until this replica holds the Lease
 * and then runs the work. Its times and its Lease content are those of client-go, so that `kubectl
 * get lease` and replicas in other languages understand it.
 *
 * The signal of the work is aborted before another replica can start, whatever the wall clocks show
 * and whichever responses are lost. A replica that stops hands over without a wait. Not covered: a
 * Lease that is deleted, or whose holder is removed by hand, while a new replica starts that never
 * saw the holder.
 */
export { LeaderElection } from './leader-election.ts'
