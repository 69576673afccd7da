// Requests and replies of every report, by version. Specification: "Endpoints"; today/reports.md, "Which report in which version".

import type { ReportsVersion } from '../base/model.ts';
import type { Message, SameIn } from './messages.ts';
import type {
  AbandonedCartsReport,
  AgentReportRequest,
  AvailabilityReport,
  CartReportRequest,
  ChatReportRequest,
  DurationReport,
  EngagementReport,
  FirstResponseTimeReport,
  FormsReport,
  GreetingsConversionReport,
  GroupsReport,
  PerformanceReport,
  QueuedVisitorsLeftReport,
  QueuedVisitorsReport,
  RankingReport,
  RatingsReport,
  ReportsSince35,
  ReportsSince36,
  ResponseTimeReport,
  SurveysReport,
  TagReportRequest,
  TagsReport,
  TagUsageReport,
  TotalChatsReport,
  UniqueVisitorsReport,
  VisitorDomainsReport,
  VisitorReportRequest,
} from './reports-objects.ts';

/** A report of chats in the versions `V`. */
type ChatReport<Reply, V extends ReportsVersion = ReportsVersion> = {
  readonly [version in V]: Message<ChatReportRequest<version>, Reply>;
};
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
  readonly 'chats/surveys': ChatReport<SurveysReport, '3.4'>;
  /** What `surveys` is called since 3.5, in another form. */
  readonly 'chats/forms': ChatReport<FormsReport, ReportsSince35>;
  readonly 'chats/response_time': ChatReport<ResponseTimeReport>;
  readonly 'chats/first_response_time': ChatReport<FirstResponseTimeReport>;
  readonly 'chats/groups': ChatReport<GroupsReport, ReportsSince36>;
  readonly 'chats/queued_visitors': ChatReport<QueuedVisitorsReport, ReportsSince36>;
  readonly 'chats/queued_visitors_left': {
    readonly [version in ReportsSince36]: Message<
      ChatReportRequest<version> & { readonly page?: number },
      QueuedVisitorsLeftReport
    >;
  };
  readonly 'agents/availability': AgentReport<AvailabilityReport>;
  readonly 'agents/performance': AgentReport<PerformanceReport>;
  readonly 'customers/unique_visitors': SameIn<ReportsSince36, VisitorReportRequest, UniqueVisitorsReport>;
  readonly 'tags/chat_usage': SameIn<ReportsSince35, TagReportRequest, TagUsageReport>;
  readonly 'sales/abandoned_carts': SameIn<'3.7', CartReportRequest, AbandonedCartsReport>;
  readonly 'stats/visitor_domains': SameIn<'3.7', VisitorReportRequest, VisitorDomainsReport>;
}
