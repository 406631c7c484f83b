import { describeJobs } from './agenda.suite.ts';

describeJobs(async () => ({ mongodbUrl: null, close: async () => undefined }));
