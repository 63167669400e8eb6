/** Most recorded decisions that one simulation replays. */
export const SIMULATION_LIMIT_MAX = 100_000
/** Recorded decisions that a simulation replays when the request does not say. */
export const SIMULATION_LIMIT_DEFAULT = 10_000
/** Most payments that a simulation may name. */
export const SIMULATION_PAYMENT_COUNT_MAX = 10_000
/** Pages of payments that a simulation looks through, also those without a decision in its time. */
export const SIMULATION_PAGES_MAX = 2_500
/** Pairs of gateways that an answer tells apart; further ones are counted together. */
export const MOVE_COUNT_MAX = 1_000
/** Simulations at the same time; more are refused. */
export const SIMULATIONS_IN_FLIGHT_MAX = 2
/** Most decisions that one back-test weighs: about 500 bytes each are kept until its end. */
export const BACK_TEST_DECISIONS_MAX = 200_000
/** Decisions that a back-test weighs when the request does not say. */
export const BACK_TEST_DECISIONS_DEFAULT = 50_000
/** Longest time that a back-test goes over, milliseconds: what the topic keeps. */
export const BACK_TEST_SPAN_MS_MAX = 2_592_000_000
/** Back-tests at the same time; more are refused. */
export const BACK_TESTS_IN_FLIGHT_MAX = 2
/** Seconds after which a simulation or a back-test that was refused may be sent again. */
export const RUN_RETRY_AFTER_SECONDS = 5
/** A line of progress comes at least this often, milliseconds. */
export const BACK_TEST_LOOK_MS = 500
/** A back-test that nobody looked at for so long ends, milliseconds. */
export const BACK_TEST_IDLE_MS_MAX = 30_000
