// Requests and replies of every report. Specification: "Endpoints".

import type { ReportsVersion } from '../base/model.ts';
import type { SameIn } from './messages.ts';
import type {
  AgentReportRequest,
  AvailabilityReport,
  ChatReportRequest,
  DurationReport,
  EngagementReport,
  FirstResponseTimeReport,
  GreetingsConversionReport,
  PerformanceReport,
  RankingReport,
  RatingsReport,
  ResponseTimeReport,
  SurveysReport,
  TagsReport,
  TotalChatsReport,
} from './reports-objects.ts';

type ChatReport<Reply> = SameIn<ReportsVersion, ChatReportRequest, Reply>;
type AgentReport<Reply> = SameIn<ReportsVersion, AgentReportRequest, Reply>;

/** `<resource>/<action>` -> version -> request and reply. */
export interface ReportsMessages {
  readonly 'chats/duration': ChatReport<DurationReport>;
  readonly 'chats/tags': ChatReport<TagsReport>;
  readonly 'chats/total_chats': ChatReport<TotalChatsReport>;
  readonly 'chats/ratings': ChatReport<RatingsReport>;
  readonly 'chats/ranking': ChatReport<RankingReport>;
  readonly 'chats/engagement': ChatReport<EngagementReport>;
  readonly 'chats/greetings_conversion': ChatReport<GreetingsConversionReport>;
  readonly 'chats/surveys': ChatReport<SurveysReport>;
  readonly 'chats/response_time': ChatReport<ResponseTimeReport>;
  readonly 'chats/first_response_time': ChatReport<FirstResponseTimeReport>;
  readonly 'agents/availability': AgentReport<AvailabilityReport>;
  readonly 'agents/performance': AgentReport<PerformanceReport>;
}
