/** Columns that hold the account of a row, by table where the name is not one of the usual ones. */
export const accountColumns = ['user_id', 'owner_id', 'account_id'];
export const otherAccountColumns: Readonly<Record<string, string>> = {
  users: 'id',
  activities: 'actor_id',
  blocks: 'blocker_id',
  follows: 'follower_id',
  mutes: 'muter_id',
};

/** Columns that lead to a row with an account. A table that has only these needs the account as a column before it is sharded. */
export const parentColumns: Readonly<Record<string, string>> = {
  agent_id: 'agents',
  chunk_id: 'chunks',
  conversation_id: 'conversations',
  document_id: 'documents',
  embed_id: 'embeds',
  experiment_id: 'experiments',
  generation_id: 'generations',
  integration_id: 'integrations',
  message_id: 'messages',
  room_id: 'rooms',
  session_id: 'sessions',
  turn_id: 'room_turns',
  visitor_id: 'embed_visitors',
  webhook_id: 'webhooks',
  version_id: 'agent_versions',
};

/** Tables that are not sharded, and why. */
export const unsharded: Readonly<Record<string, string>> = {
  billing_comparison: 'one row for the service',
  business_clock: 'one row for the service',
  counter_notes: 'a queue that one job empties',
  document_strays: 'one row for each kind',
  instances: 'one row for each instance',
  listing_recounts: 'one row for the service',
  migrations: 'the schema',
  moderation_cases: 'moderators read those of all accounts; few',
  moderation_decisions: 'moderators read those of all accounts; few',
  moderation_reports: 'moderators read those of all accounts; few',
  outbox_queue: 'a queue that one dispatcher empties',
  processor_events: 'known by the id of the processor before the account is',
  rate_limits: 'keys are of accounts, keys and addresses',
  simulated_customers: 'development only',
  social_recounts: 'one row for the service',
  studio_sums: 'one row for the service',
  tasks: 'a queue that workers claim by kind',
};

/** Unique keys by which a row is found before its account is known: each needs a table that leads from the key to the account. */
export const lookups: Readonly<Record<string, string>> = {
  account_tokens_pkey: 'a link in a mail',
  activities_share_idx: 'the account of the share',
  api_keys_hash_key: 'the credential of a request',
  billing_accounts_customer_id_key: 'an event of the payment processor',
  embed_sessions_pkey: 'the credential of a visitor',
  images_token_key: 'the address of an image',
  integrations_token_place_key: 'one bot belongs to one integration of the service',
  invoices_processor_invoice_id_key: 'an event of the payment processor',
  listing_slugs_pkey: 'the address of a listing',
  old_usernames_pkey: 'the address of a profile',
  listings_slug_key: 'the address of a listing',
  moderation_reports_reporter_key: 'one report of a subject for each reporter',
  refresh_tokens_pkey: 'the credential of a request',
  room_invitations_token_hash_key: 'a link to a room',
  shares_token_hash_key: 'the address of a share',
  users_email_key: 'a login',
  users_username_key: 'the address of a profile',
};

/** Statements that read each partition of messages or generations, with the number of such reads, by the reason. */
export const withoutAccount: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'an instance looks after the replies that it writes, of all accounts, in one statement; few run at a time': {
    generation_disown: 1,
    instance_beat: 3,
  },
  'background work over all accounts: runs on each shard': {
    generation_deltas_left: 1,
    generation_deltas_purge: 1,
    generation_orphans: 1,
    jobs_evaluate: 1,
    purge_generations: 1,
  },
  'notes of an earlier release do not state the account': { studio_notes_take: 2 },
  'the messages of an agent belong to those who wrote them; each is found by its conversation': {
    'purge users > agents > conversations > generations': 1,
    'purge users > agents > conversations > messages': 1,
    'purge users > conversations > generations': 1,
    'purge users > conversations > messages': 1,
  },
};

/** Foreign keys to rows of another account, or found by another column than the account, by the reason. */
export const acrossAccounts: Readonly<Record<string, readonly string[]>> = {
  'people use the agents of others': [
    'agent_activity.agent_id',
    'agent_day_users.agent_id',
    'agent_people.agent_id',
    'agent_popularity.agent_id',
    'conversations.agent_id',
    'experiment_exposures.experiment_id',
    'likes.agent_id',
    'listings.copied_from',
    'message_feedback.shared_agent_id',
    'reviews.agent_id',
  ],
  'people see each other': ['activities.agent_id', 'blocks.blocked_id', 'follows.followee_id', 'mutes.muted_id'],
  'a room has several members': [
    'room_agents.added_by',
    'room_agents.room_id',
    'room_events.only_user_id',
    'room_events.room_id',
    'room_invitations.created_by',
    'room_members.invited_by',
    'room_members.room_id',
    'room_messages.room_id',
    'room_presence.room_id',
    'room_turns.agent_id',
    'room_turns.payer_id',
    'room_turns.room_id',
    'rooms.offered_to',
  ],
  'the same account under another name': [
    'activities.share_id',
    'embed_conversations.embed_id',
    'embed_conversations.visitor_id',
    'embed_visitors.embed_id',
    'integration_conversations.integration_id',
    'profiles.banner_id',
    'shares.conversation_id',
  ],
};
