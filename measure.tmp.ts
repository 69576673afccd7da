import { createEmulator } from './src/emulator/index.ts';
const N = 300_000; const now = Date.UTC(2026,1,1); const begins = now - 30*86400000;
const ids = Array.from({length:100},(_, i)=>`agent${i}@x.com`);
const em = createEmulator({ now: () => now, random: Math.random, seed: { agents: ids.map((id,i)=>({id,name:id,groups:[{id:1+i%5,priority:'normal' as const}]})), groups:[1,2,3,4,5].map(id=>({id,name:`G${id}`})), presence: Object.fromEntries(ids.map(id=>[id,'accepting_chats' as const])) } });
const fresh: any = em.snapshot({archived:true});
const rows = (v:any[])=>v.map(value=>[{value}]);
const chats:any[]=[],threads:any[]=[],customers:any[]=[];
for (let i=0;i<N;i++){ const at=begins+Math.floor(i*30*86400000/N); const a={kind:'agent',id:ids[i%100]}; const c={kind:'customer',id:`c${i}`};
 customers.push({id:c.id,created_at:at,logged_in:false,chat_id:`C${i}`,in_chat:false});
 chats.push({id:`C${i}`,customer_id:c.id,created_at:at,group_ids:[0],properties:{},last_thread_id:`T${i}`,last_thread_at:at,threads:1,active:false,seen:{}});
 threads.push({id:`T${i}`,chat_id:`C${i}`,customer_id:c.id,number:1,active:false,created_at:at,closed_at:at+600000,group_ids:[1+i%5],members:[c,a],held:[{...a,from:at,until:at+600000}],
  events:[{number:1,type:'message',created_at:at,author:c,content:{text:'hi'}},{number:2,type:'message',created_at:at+30000,author:a,content:{text:'hello'}},{number:3,type:'message',created_at:at+90000,author:c,content:{text:'?'}},{number:4,type:'message',created_at:at+120000,author:a,content:{text:'!'}},{number:5,type:'system_message',created_at:at+600000,content:{}}],next_event:6,
  properties:{routing:{continuous:false,start_url:`https://shop/${i%7}`},...(i%3?{}:{rating:{score:i%2}})},tags:i%4?[]:['vip']}); }
const state={...fresh,tables:{...fresh.tables,customers:rows(customers),chats:rows(chats),threads:rows(threads)}};
let t=performance.now(); await em.begin({state}); console.log('begin',Math.round(performance.now()-t));
const ask=async(r:string,b:any)=>{const q=await em.fetch(new Request(`http://e/v3.4/reports/${r}`,{method:'POST',headers:{'content-type':'application/json',authorization:'Bearer x'},body:JSON.stringify(b)})); const text=await q.text(); if(q.status!==200) throw new Error(text); return text;};
const month={from:new Date(begins).toISOString(),to:new Date(now).toISOString()};
const day={from:new Date(now-86400000).toISOString(),to:new Date(now).toISOString()};
for (const [label, filters, timezone] of [['month',month,'Europe/Warsaw'],['group of a month',{...month,groups:{values:[1]}},'Europe/Warsaw'],['day',day,'UTC'],['day by page',{...day,properties:{routing:{start_url:{values:['https://shop/1']}}}},'UTC']] as any)
 for (const r of ['chats/duration','chats/tags','chats/total_chats','chats/ratings','chats/ranking','chats/engagement','chats/greetings_conversion','chats/surveys','chats/response_time','chats/first_response_time','agents/availability','agents/performance']) {
  if (r.startsWith('agents') && filters.properties) continue;
  const times:number[]=[]; let text=''; for (let k=0;k<5;k++){ t=performance.now(); text=await ask(r,{distribution:'hour',timezone,filters}); times.push(performance.now()-t);} 
  console.log(label, r, times.map(x=>x.toFixed(0)).join(' '), text.length);
 }
