<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ko_KR">
<context>
    <name>gradus::LessonDriver</name>
    <message>
        <source>What question %1 asks for is covered until you answer it, on the last page.</source>
        <translation>마지막 쪽에서 답할 때까지, 질문 %1에서 묻는 것은 가려져 있습니다.</translation>
    </message>
    <message>
        <source>the reference's result</source>
        <translation>기준과 같은 결과</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>발견된 문제 없음</translation>
    </message>
    <message>
        <source>Accepted at %1 sizes: %2.</source>
        <translation>크기 %1가지에서 모두 맞아야 합니다: %2.</translation>
    </message>
</context>
<context>
    <name>Change</name>
    <message>
        <source>point</source>
        <translation>점</translation>
    </message>
    <message>
        <source>the lab's kernel</source>
        <translation>원래 커널</translation>
    </message>
    <message>
        <source>another kernel</source>
        <translation>다른 커널</translation>
    </message>
</context>
<context>
    <name>Hierarchy</name>
    <message>
        <source>%1 per SM</source>
        <translation>SM마다 %1</translation>
    </message>
    <message>
        <source>up to %1 per SM</source>
        <translation>SM마다 최대 %1</translation>
    </message>
    <message>
        <source>%1 per SM with shared memory</source>
        <translation>공유 메모리와 합쳐 SM마다 %1</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>레지스터</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>공유 메모리</translation>
    </message>
    <message>
        <source>L1 cache</source>
        <translation>L1 캐시</translation>
    </message>
    <message>
        <source>L2 cache</source>
        <translation>L2 캐시</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>메모리</translation>
    </message>
    <message>
        <source>what each lane loads and stores</source>
        <translation>레인마다 읽고 쓰는 바이트</translation>
    </message>
    <message>
        <source>wavefronts × 128 bytes</source>
        <translation>웨이브프런트 × 128바이트</translation>
    </message>
    <message>
        <source>sectors asked × 32 bytes</source>
        <translation>요청한 섹터 × 32바이트</translation>
    </message>
    <message>
        <source>what is asked of L1, where L1 holds none of it</source>
        <translation>L1에 아무것도 없을 때, L1에 요청한 만큼</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>distinct sectors × 32 bytes: each once</source>
        <translation>서로 다른 섹터 × 32바이트: 한 번씩만</translation>
    </message>
    <message>
        <source>all launches</source>
        <translation>모든 커널 실행</translation>
    </message>
    <message>
        <source>the whole launch</source>
        <translation>커널 실행 전체</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>블록 %1</translation>
    </message>
    <message>
        <source>one warp step</source>
        <translation>워프 스텝 하나</translation>
    </message>
    <message>
        <source>compute capability %1</source>
        <translation>컴퓨트 캐퍼빌리티 %1</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>적어도 %1</translation>
    </message>
    <message>
        <source>ideal %1</source>
        <translation>이상적 %1</translation>
    </message>
    <message>
        <source>Counted in the source, without a cache: L2 and memory see at most what is asked of L1, and at least each sector once.</source>
        <translation>캐시 없이 소스에서 센 값입니다. L2와 메모리에는 많아야 L1에 요청한 만큼, 적어도 섹터마다 한 번은 오갑니다.</translation>
    </message>
    <message>
        <source>Phase %1 of %2, from barrier to barrier. Strongest: this step; full: this phase so far, and so are the bytes beside; pale: the phase before. Counted in the source.</source>
        <translation>구간 %1/%2(배리어에서 배리어까지). 가장 뚜렷한 색: 이 워프 스텝, 진한 색: 이 구간에서 지금까지(옆의 바이트도), 옅은 색: 앞 구간. 소스에서 셌습니다.</translation>
    </message>
    <message>
        <source>Strongest: this step. Full colour and bytes: this phase so far. Pale: the phase before.</source>
        <translation>가장 뚜렷한 색: 이 워프 스텝, 진한 색과 바이트: 이 구간에서 지금까지, 옅은 색: 앞 구간.</translation>
    </message>
    <message>
        <source>Grey: the ideal; strong: what moves beyond it.</source>
        <translation>회색: 이상적인 양, 뚜렷한 색: 그보다 더 옮긴 양.</translation>
    </message>
    <message>
        <source>one warp step, phase %1 of %2</source>
        <translation>워프 스텝 하나, 구간 %1/%2</translation>
    </message>
    <message>
        <source>rung</source>
        <translation>단계</translation>
    </message>
    <message>
        <source>In colour: the rungs, in every place to its own scale.</source>
        <translation>색: 단계들. 눈금은 자리마다 다릅니다.</translation>
    </message>
</context>
<context>
    <name>gradus::HierarchyView</name>
    <message>
        <source>Memory hierarchy</source>
        <translation>메모리 계층</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2, where you stand</source>
        <translation>%1, %2, 지금 있는 곳</translation>
    </message>
    <message>
        <source>No kernel was counted in this step.</source>
        <translation>이 스텝에는 센 커널이 없습니다.</translation>
    </message>
    <message>
        <source>%1, in %2</source>
        <translation>%1(%2)</translation>
    </message>
    <message>
        <source>from %1 to %2 in this phase</source>
        <translation>이 구간에서 %1에서 %2로</translation>
    </message>
    <message>
        <source>touched by this step: %1</source>
        <translation>이 스텝이 건드린 원소: %1개</translation>
    </message>
    <message>
        <source>in this phase so far: %1</source>
        <translation>이 구간에서 지금까지: %1개</translation>
    </message>
    <message>
        <source>This step is being computed …</source>
        <translation>이 스텝을 계산하고 있습니다 …</translation>
    </message>
</context>
<context>
    <name>Roofline</name>
    <message>
        <source>one core here</source>
        <translation>이 컴퓨터의 코어 하나</translation>
    </message>
    <message>
        <source>each sector once: %1</source>
        <translation>섹터마다 한 번: %1</translation>
    </message>
    <message>
        <source>one core here, from its cache</source>
        <translation>이 컴퓨터의 코어 하나, 캐시에서</translation>
    </message>
    <message>
        <source>cache %1</source>
        <translation>캐시 %1</translation>
    </message>
    <message>
        <source>one core here %1</source>
        <translation>이 컴퓨터의 코어 하나 %1</translation>
    </message>
    <message>
        <source>one core here, from memory</source>
        <translation>이 컴퓨터의 코어 하나, 메모리에서</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>메모리 %1</translation>
    </message>
    <message>
        <source>%1 here</source>
        <translation>여기서 %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2에서 %1</translation>
    </message>
    <message>
        <source>FLOP per byte</source>
        <translation>바이트당 FLOP</translation>
    </message>
    <message>
        <source>FLOP per byte asked of global memory</source>
        <translation>전역 메모리에 요청한 바이트당 FLOP</translation>
    </message>
    <message>
        <source>from its cache</source>
        <translation>캐시에서</translation>
    </message>
    <message>
        <source>from memory</source>
        <translation>메모리에서</translation>
    </message>
</context>
<context>
    <name>gradus::RooflineView</name>
    <message>
        <source>Roofline</source>
        <translation>루프라인</translation>
    </message>
    <message>
        <source>solid: measured here · dashed: modelled</source>
        <translation>실선: 여기서 측정 · 파선: 추산</translation>
    </message>
    <message>
        <source>This kernel does no multiply-adds: there is no arithmetic to place.</source>
        <translation>이 커널에는 곱셈-덧셈이 없어서 놓을 계산이 없습니다.</translation>
    </message>
    <message>
        <source>No kernel was counted in this step.</source>
        <translation>이 스텝에는 센 커널이 없습니다.</translation>
    </message>
    <message>
        <source>%1 here, on one core</source>
        <translation>여기서 코어 하나로 %1</translation>
    </message>
    <message>
        <source>%1 in the median</source>
        <translation>중앙값 %1</translation>
    </message>
    <message>
        <source>%1 on %2, without a cache</source>
        <translation>캐시 없이 %2에서 %1</translation>
    </message>
    <message>
        <source>%1, where you stand</source>
        <translation>%1, 지금 있는 곳</translation>
    </message>
    <message>
        <source>%1, %2 here</source>
        <translation>%1, 여기서 %2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2에서 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>limit of %1</source>
        <translation>%1의 한계</translation>
    </message>
    <message>
        <source>%1 from memory, at most %2</source>
        <translation>메모리에서 %1, 많아야 %2</translation>
    </message>
    <message>
        <source>This step is being computed …</source>
        <translation>이 스텝을 계산하고 있습니다 …</translation>
    </message>
</context>
<context>
    <name>Activation</name>
    <message>
        <source>Activation</source>
        <translation>활성화</translation>
    </message>
    <message>
        <source>1 where z &gt; 0, else 0</source>
        <translation>z &gt; 0이면 1, 아니면 0</translation>
    </message>
    <message>
        <source>Its derivative is 0 everywhere: no gradient comes through.</source>
        <translation>미분이 어디서나 0이라 그래디언트가 지나가지 못합니다.</translation>
    </message>
</context>
<context>
    <name>Attention</name>
    <message>
        <source>query</source>
        <translation>쿼리</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>키</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>쿼리</translation>
    </message>
    <message>
        <source>masked: skipped</source>
        <translation>마스크: 건너뜀</translation>
    </message>
    <message>
        <source>× factor</source>
        <translation>× 인수</translation>
    </message>
    <message>
        <source>o, %1 to %2</source>
        <translation>o, %1부터 %2까지</translation>
    </message>
    <message>
        <source>Shared memory set aside for the block: %1 of the %2 of an SM %3</source>
        <translation>블록에 잡아 둔 공유 메모리: %1 (SM %3의 %2 가운데)</translation>
    </message>
    <message>
        <source>Shared memory set aside for the block: %1</source>
        <translation>블록에 잡아 둔 공유 메모리: %1</translation>
    </message>
    <message>
        <source>%1 more queries of this block</source>
        <translation>이 블록의 쿼리 %1개 더</translation>
    </message>
    <message>
        <source>shared: %1 of %2</source>
        <translation>공유 메모리: %2 가운데 %1</translation>
    </message>
    <message>
        <source>shared: %1</source>
        <translation>공유 메모리: %1</translation>
    </message>
    <message>
        <source>three launches</source>
        <translation>커널 세 번</translation>
    </message>
    <message>
        <source>tiles</source>
        <translation>타일</translation>
    </message>
    <message>
        <source>Through global memory, in %1</source>
        <translation>전역 메모리를 지난 양, %1</translation>
    </message>
    <message>
        <source>Bytes of global memory</source>
        <translation>전역 메모리의 바이트</translation>
    </message>
    <message>
        <source>Attention, tile by tile</source>
        <translation>타일 단위 어텐션</translation>
    </message>
    <message>
        <source>head %1 of %2 · T %3 · D %4</source>
        <translation>헤드 %1/%2 · T %3 · D %4</translation>
    </message>
    <message>
        <source>head %1 of %2 · T %3 · D %4 · causal</source>
        <translation>헤드 %1/%2 · T %3 · D %4 · 인과</translation>
    </message>
    <message>
        <source>back to the part before</source>
        <translation>앞 단계로</translation>
    </message>
    <message>
        <source>on to the next part</source>
        <translation>다음 단계로</translation>
    </message>
    <message>
        <source>tile of queries %1 and keys %2: %3</source>
        <translation>쿼리 %1, 키 %2의 타일: %3</translation>
    </message>
    <message>
        <source>not yet set</source>
        <translation>아직 값이 없음</translation>
    </message>
    <message>
        <source>query %1</source>
        <translation>쿼리 %1</translation>
    </message>
    <message>
        <source>factor of query %1</source>
        <translation>쿼리 %1의 인수</translation>
    </message>
    <message>
        <source>bytes: %1</source>
        <translation>바이트: %1</translation>
    </message>
    <message>
        <source>reads its queries</source>
        <translation>쿼리를 읽음</translation>
    </message>
    <message>
        <source>reads keys and values</source>
        <translation>키와 값을 읽음</translation>
    </message>
    <message>
        <source>makes scores</source>
        <translation>점수를 계산함</translation>
    </message>
    <message>
        <source>adds values</source>
        <translation>값을 더함</translation>
    </message>
    <message>
        <source>writes O and L</source>
        <translation>O와 L을 씀</translation>
    </message>
    <message>
        <source>launch %1 of %2: %3</source>
        <translation>커널 실행 %1/%2: %3</translation>
    </message>
    <message>
        <source>queries %1–%2</source>
        <translation>쿼리 %1–%2</translation>
    </message>
    <message>
        <source>warp %1 %2</source>
        <translation>워프 %1: %2</translation>
    </message>
    <message>
        <source>block %1, %2: %3</source>
        <translation>블록 %1, %2, %3</translation>
    </message>
    <message>
        <source>block %1, %2, tile %3 of %4: %5</source>
        <translation>블록 %1, %2, 타일 %3/%4, %5</translation>
    </message>
    <message>
        <source>Nothing of attention is recorded here. Run the ladder “attention” with record = block, and stand below its kernel.</source>
        <translation>기록된 어텐션이 없습니다. 사다리 “attention”을 record = block으로 실행하고, 그 커널 아래로 들어가세요.</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>비었음</translation>
    </message>
    <message>
        <source>skipped: the mask hides all of it</source>
        <translation>건너뜀: 전부 마스크에 가려짐</translation>
    </message>
    <message>
        <source>of a block that was not recorded</source>
        <translation>기록되지 않은 블록의 것</translation>
    </message>
    <message>
        <source>here</source>
        <translation>지금 여기</translation>
    </message>
    <message>
        <source>done</source>
        <translation>끝남</translation>
    </message>
    <message>
        <source>to come</source>
        <translation>남음</translation>
    </message>
    <message>
        <source>launch %1</source>
        <translation>커널 %1</translation>
    </message>
    <message>
        <source>once</source>
        <translation>한 번씩</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>합</translation>
    </message>
    <message>
        <source>block so far</source>
        <translation>블록, 여기까지</translation>
    </message>
    <message>
        <source>whole launch</source>
        <translation>커널 전체</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>공식</translation>
    </message>
    <message>
        <source>What lanes ask of global memory, in %1</source>
        <translation>레인이 전역 메모리에 요청한 양, %1</translation>
    </message>
    <message>
        <source>Launch %1 of %2</source>
        <translation>커널 실행 %1/%2</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>최댓값</translation>
    </message>
    <message>
        <source>output</source>
        <translation>출력</translation>
    </message>
    <message>
        <source>m₀: before tile %1. Output and sum were both multiplied by it.</source>
        <translation>m₀: 타일 %1 이전의 최댓값. 출력과 합에 모두 이 인수를 곱했습니다.</translation>
    </message>
    <message>
        <source>query %1, key %2</source>
        <translation>쿼리 %1, 키 %2</translation>
    </message>
    <message>
        <source>not yet written</source>
        <translation>아직 기록되지 않음</translation>
    </message>
    <message>
        <source>the mask hides it: score −∞</source>
        <translation>마스크에 가려짐: 점수 −∞</translation>
    </message>
    <message>
        <source>what the key counts now, with m = %1; ℓ is the sum of the row</source>
        <translation>m = %1일 때 이 키의 무게. 한 행을 모두 더하면 ℓ입니다</translation>
    </message>
    <message>
        <source>%1 of shared memory</source>
        <translation>공유 메모리 %1</translation>
    </message>
    <message>
        <source>holds %1, %2 % written</source>
        <translation>%1, %2 % 쓰임</translation>
    </message>
    <message>
        <source>elements of a head: 2 N d for Q and O, 2 N d for each of ⌈N / %1⌉ rows of tiles, N for L</source>
        <translation>헤드마다 원소 수: Q와 O에 2 N d, 타일 행 ⌈N / %1⌉개마다 2 N d, L에 N</translation>
    </message>
    <message>
        <source>of K and V only the tiles that the mask leaves</source>
        <translation>K와 V는 마스크가 남긴 타일만</translation>
    </message>
    <message>
        <source>S and P are written and read: 4 N² elements, and 4 N d for Q, K, V and O</source>
        <translation>S와 P는 쓰고 읽어 4 N²개, Q, K, V, O는 4 N d개</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>바이트</translation>
    </message>
    <message>
        <source>the paper: Θ(N² d² / M) elements, with M numbers of fast memory; the block has %1, which makes N² d² / M = %2</source>
        <translation>논문: 빠른 메모리에 수 M개가 들어갈 때 원소 Θ(N² d² / M)개. 이 블록은 %1개라 N² d² / M = %2</translation>
    </message>
    <message>
        <source>Shared memory set aside: %1 of %2</source>
        <translation>잡아 둔 공유 메모리: %2 가운데 %1</translation>
    </message>
    <message>
        <source>Query %1: no tile yet</source>
        <translation>쿼리 %1: 아직 타일 없음</translation>
    </message>
    <message>
        <source>Query %1, K%2</source>
        <translation>쿼리 %1, K%2</translation>
    </message>
    <message>
        <source>Query %1 meets K%2</source>
        <translation>쿼리 %1, 타일 K%2를 만남</translation>
    </message>
    <message>
        <source>Bytes requested in all</source>
        <translation>모두 합쳐 요청한 바이트</translation>
    </message>
    <message>
        <source>Attention, launch by launch</source>
        <translation>어텐션: 실행 단위</translation>
    </message>
    <message>
        <source>Bytes requested so far</source>
        <translation>지금까지 요청한 바이트</translation>
    </message>
    <message>
        <source>Global memory, %1</source>
        <translation>전역 메모리, %1</translation>
    </message>
</context>
<context>
    <name>Stops</name>
    <message>
        <source>Stopped before step %1, as you asked.</source>
        <translation>정한 대로 스텝 %1 앞에서 멈췄습니다.</translation>
    </message>
    <message>
        <source>Stopped: a number is NaN or infinite. W asks why.</source>
        <translation>멈췄습니다. NaN이나 무한대가 생겼습니다. W를 누르면 까닭을 보여 줍니다.</translation>
    </message>
    <message>
        <source>Stopped: the gradient's norm is %1, above %2.</source>
        <translation>멈췄습니다. 그래디언트의 노름 %1이 %2보다 큽니다.</translation>
    </message>
    <message>
        <source>before step %1</source>
        <translation>스텝 %1 앞에서</translation>
    </message>
    <message>
        <source>at a number that is NaN or infinite</source>
        <translation>NaN이나 무한대가 생길 때</translation>
    </message>
    <message>
        <source>where the gradient's norm is above %1</source>
        <translation>그래디언트의 노름이 %1보다 클 때</translation>
    </message>
</context>
<context>
    <name>CheckPanel</name>
    <message>
        <source>You</source>
        <translation>내 답</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>엔진</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>숫자</translation>
    </message>
    <message>
        <source>In place</source>
        <translation>제자리</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2개 중 %1개</translation>
    </message>
    <message>
        <source>; → is its place</source>
        <translation>, → 뒤가 제자리</translation>
    </message>
    <message>
        <source>Undecided on this machine</source>
        <translation>이 컴퓨터에서는 판정 보류</translation>
    </message>
</context>
<context>
    <name>Choice</name>
    <message>
        <source>A100</source>
        <translation>A100</translation>
    </message>
    <message>
        <source>H100</source>
        <translation>H100</translation>
    </message>
    <message>
        <source>RTX 4090</source>
        <translation>RTX 4090</translation>
    </message>
    <message>
        <source>f + g</source>
        <translation>f + g</translation>
    </message>
    <message>
        <source>f · g</source>
        <translation>f · g</translation>
    </message>
    <message>
        <source>f(g(x))</source>
        <translation>f(g(x))</translation>
    </message>
    <message>
        <source>g(f(x))</source>
        <translation>g(f(x))</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>parabola</source>
        <translation>포물선</translation>
    </message>
    <message>
        <source>plane</source>
        <translation>평면</translation>
    </message>
    <message>
        <source>bowl</source>
        <translation>그릇</translation>
    </message>
    <message>
        <source>line through points</source>
        <translation>점에 맞춘 직선</translation>
    </message>
    <message>
        <source>XOR</source>
        <translation>XOR</translation>
    </message>
    <message>
        <source>spirals</source>
        <translation>나선</translation>
    </message>
    <message>
        <source>blobs</source>
        <translation>군집</translation>
    </message>
    <message>
        <source>moons</source>
        <translation>초승달</translation>
    </message>
    <message>
        <source>rings</source>
        <translation>고리</translation>
    </message>
    <message>
        <source>Fashion-MNIST</source>
        <translation>Fashion-MNIST</translation>
    </message>
    <message>
        <source>shuffle</source>
        <translation>shuffle</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>scale</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>climb_ladder: rungs names %1 twice</source>
        <translation>climb_ladder: rungs에 같은 이름이 두 번 나옵니다: %1</translation>
    </message>
    <message>
        <source>climb_ladder: a ladder's run has nothing that can be edited; set its parameters instead</source>
        <translation>climb_ladder: 커널 사다리의 실행에는 편집할 수 있는 것이 없습니다. 대신 매개변수를 바꾸세요</translation>
    </message>
    <message>
        <source>train_cnn: channels must be at most %1 widths, after which an image of 28 × 28 is one pixel, not %2</source>
        <translation>train_cnn: 28 × 28 이미지가 한 픽셀이 될 때까지 줄어드는 %1개까지만 채널 수를 적을 수 있습니다 (입력: %2개)</translation>
    </message>
    <message>
        <source>train_cnn: %1 channels do not divide into %2 groups</source>
        <translation>train_cnn: 채널 %1개를 그룹 %2개로 똑같이 나눌 수 없습니다</translation>
    </message>
    <message>
        <source>'%1' counts steps and cannot be edited</source>
        <translation>단계를 세는 수인 '%1' 값은 바꿀 수 없습니다</translation>
    </message>
    <message>
        <source>%1: %2 must be a whole number from %3 to %4, not '%5'</source>
        <translation>%1: %2 값은 %3에서 %4 사이의 정수여야 합니다 (입력: ‘%5’)</translation>
    </message>
    <message>
        <source>%1: %2 must be a number from %3 to %4, not '%5'</source>
        <translation>%1: %2 값은 %3에서 %4 사이의 수여야 합니다 (입력: ‘%5’)</translation>
    </message>
    <message>
        <source>%1: %2 must be one of %3, not '%4'</source>
        <translation>%1: %2 값은 다음 가운데 하나여야 합니다: %3 (입력: ‘%4’)</translation>
    </message>
    <message>
        <source>%1: %2 must be 2 to 64 widths from 1 to 65536 with commas between, such as 784,256,10, not '%3'</source>
        <translation>%1: %2 값은 784,256,10처럼 1에서 65536 사이의 너비 2~64개를 쉼표로 이어 써야 합니다 (입력: ‘%3’)</translation>
    </message>
    <message>
        <source>%1: %2 must be whole numbers from %3 to %4 with commas between, such as 3,5,9, not '%5'</source>
        <translation>%1: %2 값은 3,5,9처럼 %3에서 %4 사이의 정수를 쉼표로 이어 써야 합니다 (입력: ‘%5’)</translation>
    </message>
    <message>
        <source>train_mlp: layers must begin with %1, the width of %2, not %3</source>
        <translation>train_mlp: 층 크기는 %2 데이터의 너비인 %1부터 시작해야 합니다 (입력: %3)</translation>
    </message>
    <message>
        <source>train_mlp: %1 has %2 classes, so layers must end with at least %3, not %4</source>
        <translation>train_mlp: %1 데이터는 클래스가 %2개이므로 마지막 층의 크기가 %3 이상이어야 합니다 (입력: %4)</translation>
    </message>
    <message>
        <source>train_mlp: loss bce needs layers that end with 1, not %1</source>
        <translation>train_mlp: bce 손실을 쓰려면 마지막 층의 크기가 1이어야 합니다 (입력: %1)</translation>
    </message>
    <message>
        <source>train_mlp: loss mse on %1 needs layers that end with 1 or %2, not %3</source>
        <translation>train_mlp: %1 데이터에 mse 손실을 쓸 때 마지막 층의 크기는 1 또는 %2만 됩니다 (입력: %3)</translation>
    </message>
    <message>
        <source>train_mlp: layers that end with 1 tell two classes apart, but %1 has %2</source>
        <translation>train_mlp: 마지막 층의 크기가 1이면 클래스를 두 개만 구별하는데, %1 데이터의 클래스는 %2개입니다</translation>
    </message>
    <message>
        <source>train_mlp: batch must be at most %1, the size of %2, not %3</source>
        <translation>train_mlp: 배치 크기는 %2 데이터의 예제 수인 %1 이하여야 합니다 (입력: %3)</translation>
    </message>
    <message>
        <source>train_mlp: workers make batches of images, and %1 is a set of points</source>
        <translation>train_mlp: workers는 이미지 배치를 만드는데, %1은(는) 점의 모음입니다</translation>
    </message>
    <message>
        <source>%1: accumulate must be at most %2, the number of steps, or nothing is ever trained, not %3</source>
        <translation>%1: accumulate는 스텝 수 %2 이하여야 합니다. 그보다 크면 아무것도 학습되지 않습니다 (입력: %3)</translation>
    </message>
    <message>
        <source>train_gpt: a sequence has 1 to %1 digits, not %2</source>
        <translation>train_gpt: 숫자열의 길이는 1에서 %1까지입니다 (입력: %2)</translation>
    </message>
    <message>
        <source>train_gpt: there are 2 to 1000 symbols, not %1</source>
        <translation>train_gpt: 숫자의 종류는 2에서 1000까지입니다 (입력: %1)</translation>
    </message>
    <message>
        <source>train_gpt: %1 channels cannot be shared by %2 heads</source>
        <translation>train_gpt: 채널 %1개는 헤드 %2개로 똑같이 나눌 수 없습니다</translation>
    </message>
    <message>
        <source>train_gpt: grouped-query attention has half as many key heads as heads, and %1 is odd</source>
        <translation>train_gpt: grouped-query 어텐션의 키 헤드는 헤드의 절반인데, %1은(는) 홀수입니다</translation>
    </message>
    <message>
        <source>train_gpt: rotary positions (latent attention has them always) turn pairs of numbers, and half of a head's %1 must be even</source>
        <translation>train_gpt: 회전 위치는(잠재 어텐션에는 늘 있습니다) 수를 둘씩 돌리므로, 한 헤드의 수 %1개의 절반이 짝수여야 합니다</translation>
    </message>
    <message>
        <source>train_gpt: a token cannot go to %1 of %2 experts</source>
        <translation>train_gpt: 토큰 하나를 전문가 %2개 가운데 %1개로 보낼 수 없습니다</translation>
    </message>
    <message>
        <source>linear_stack: a bias stands in front of what follows chosen layers; choose them with after</source>
        <translation>linear_stack: 편향은 고른 층 뒤에 오는 것 앞에만 둘 수 있습니다. 뒤에 둘 층 번호에 층을 적으세요</translation>
    </message>
    <message>
        <source>linear_stack: after must be at most %1, so that a layer follows, not %2</source>
        <translation>linear_stack: 뒤에 층이 하나는 있어야 하므로 층 번호는 %1 이하여야 합니다 (입력: %2)</translation>
    </message>
    <message>
        <source>run_kernel: %1 has no rung '%2'; it has first, last, %3</source>
        <translation>run_kernel: %1에는 '%2' 단계가 없습니다. 있는 것은 first, last, %3입니다</translation>
    </message>
    <message>
        <source>run_kernel: %1 must be 0 to %2, not %3</source>
        <translation>run_kernel: %1은(는) 0부터 %2까지여야 합니다 (입력: %3)</translation>
    </message>
    <message>
        <source>run_kernel: block must be usual or sizes such as 256 or 32x8, not '%1'</source>
        <translation>run_kernel: block은 usual이거나 256, 32x8과 같은 크기여야 합니다 (입력: '%1')</translation>
    </message>
    <message>
        <source>run_kernel: sizes must be usual or such as rows=64,columns=32, not '%1'</source>
        <translation>run_kernel: sizes는 usual이거나 rows=64,columns=32와 같은 꼴이어야 합니다 (입력: '%1')</translation>
    </message>
    <message>
        <source>%1 has no size &quot;%2&quot;; it has %3</source>
        <translation>%1에 없는 크기입니다: &quot;%2&quot;. 있는 것은 %3입니다</translation>
    </message>
    <message>
        <source>run_kernel: a kernel's run has nothing that can be edited; set its parameters instead</source>
        <translation>run_kernel: 커널의 실행에는 편집할 수 있는 것이 없습니다. 대신 매개변수를 바꾸세요</translation>
    </message>
    <message>
        <source>logits: with %1 classes the label must be 0 to %2, not %3</source>
        <translation>logits: 클래스가 %1개이므로 정답 클래스는 0에서 %2 사이여야 합니다 (입력: %3)</translation>
    </message>
    <message>
        <source>a seed is a whole number from 1</source>
        <translation>시드는 1 이상의 정수여야 합니다</translation>
    </message>
    <message>
        <source>'%1' is no edit; write NAME = VALUE, PARAMETER[ROW, COLUMN] = NUMBER, point N = X, Y, or break nan, break iteration N, break gradient_norm NUMBER</source>
        <translation>‘%1’: 쓸 수 없는 편집입니다. 이름 = 값, 매개변수[행, 열] = 숫자, point N = X, Y, break nan, break iteration N, break gradient_norm 숫자 가운데 한 가지 꼴로 쓰세요</translation>
    </message>
    <message>
        <source>'%1': there is no such breakpoint</source>
        <translation>‘%1’: 그런 중단점이 없습니다</translation>
    </message>
    <message>
        <source>'%1' is fixed when a run starts; lr and momentum can be edited</source>
        <translation>‘%1’: 실행을 시작할 때 정해지는 값입니다. 도중에 바꿀 수 있는 것은 lr과 momentum입니다</translation>
    </message>
    <message>
        <source>there is no setting '%1'; lr and momentum can be edited</source>
        <translation>‘%1’: 그런 설정은 없습니다. 도중에 바꿀 수 있는 것은 lr과 momentum입니다</translation>
    </message>
    <message>
        <source>'%1' cannot be edited in a run; what can be is %2</source>
        <translation>‘%1’: 실행 도중에는 바꿀 수 없습니다. 도중에 바꿀 수 있는 것: %2</translation>
    </message>
    <message>
        <source>%1 must be a number, 0 or more</source>
        <translation>%1 값은 0 이상의 수여야 합니다</translation>
    </message>
    <message>
        <source>%1 must be a number</source>
        <translation>%1 값은 수여야 합니다</translation>
    </message>
    <message>
        <source>%1 has nothing to act on: %2 is left out</source>
        <translation>%1: %2 줄을 뺐으므로 바꾸어도 쓰이지 않습니다</translation>
    </message>
    <message>
        <source>momentum has nothing to act on: the optimizer is sgd</source>
        <translation>momentum: 옵티마이저가 sgd라서 바꾸어도 쓰이지 않습니다</translation>
    </message>
    <message>
        <source>momentum must be a number from 0 to 1</source>
        <translation>momentum: 0에서 1 사이의 수여야 합니다</translation>
    </message>
    <message>
        <source>points can be moved only in data sets of points</source>
        <translation>점은 점으로 된 데이터에서만 옮길 수 있습니다</translation>
    </message>
    <message>
        <source>this experiment has no points to move</source>
        <translation>이 실험에는 옮길 점이 없습니다</translation>
    </message>
    <message>
        <source>there is no parameter '%1'; there are %2</source>
        <translation>‘%1’: 그런 매개변수가 없습니다. 있는 것: %2</translation>
    </message>
    <message>
        <source>%1[%2] is outside its shape %3</source>
        <translation>%1[%2]: 모양 %3의 범위를 벗어납니다</translation>
    </message>
    <message>
        <source>%1[%2] does not fit its shape %3: one number per axis</source>
        <translation>%1[%2]: 모양 %3에 맞지 않습니다. 축마다 수가 하나씩 필요합니다</translation>
    </message>
    <message>
        <source>an edit after the last step (%1) would change nothing</source>
        <translation>마지막 스텝(%1) 뒤의 편집은 아무것도 바꾸지 못합니다</translation>
    </message>
    <message>
        <source>iteration %1 kept no gradient of '%2'</source>
        <translation>스텝 %1에는 ‘%2’의 그래디언트가 남아 있지 않습니다</translation>
    </message>
    <message>
        <source>this run has no layer of neurons that reads its data</source>
        <translation>이 실행에는 데이터를 읽는 뉴런 층이 없습니다</translation>
    </message>
    <message>
        <source>%1 has %2 rows, so examples %3 cannot be multiplied with it</source>
        <translation>%1에는 행이 %2개 있어 예제 %3에 곱할 수 없습니다</translation>
    </message>
    <message>
        <source>this run has no forward pass that could be computed again</source>
        <translation>이 실행에는 다시 계산할 수 있는 순전파가 없습니다</translation>
    </message>
    <message>
        <source>the forward pass cannot be computed again: its op '%1' in %2 is not among those that can be</source>
        <translation>순전파를 다시 계산할 수 없습니다. 다시 계산할 수 없는 연산: ‘%1’ (%2)</translation>
    </message>
    <message>
        <source>the forward pass cannot be computed again: '%1' in %2 gives %3 instead of the recorded %4</source>
        <translation>순전파를 다시 계산할 수 없습니다. ‘%1’ (%2)의 모양: 지금 %3, 기록된 것은 %4</translation>
    </message>
    <message>
        <source>'%1' of iteration %2 is not at hand, so its forward pass cannot be computed again</source>
        <translation>스텝 %2의 ‘%1’: 남아 있지 않아 순전파를 다시 계산할 수 없습니다</translation>
    </message>
    <message>
        <source>'%1' is not at hand, so the forward pass cannot be computed again</source>
        <translation>‘%1’: 남아 있지 않아 순전파를 다시 계산할 수 없습니다</translation>
    </message>
    <message>
        <source>the points of this run are not kept</source>
        <translation>이 실행의 점들은 남아 있지 않습니다</translation>
    </message>
    <message>
        <source>what this run makes small is no function of one or two parameters that could be drawn</source>
        <translation>이 실행이 줄이는 값은 매개변수 한두 개의 함수가 아니어서 그릴 수 없습니다</translation>
    </message>
    <message>
        <source>the data are no points in the plane: %1</source>
        <translation>데이터가 평면 위의 점이 아닙니다: %1</translation>
    </message>
    <message>
        <source>a point of the plane is two numbers wide, but this net reads %1</source>
        <translation>평면 위의 점은 숫자 두 개인데 이 신경망의 입력은 %1개입니다</translation>
    </message>
    <message>
        <source>there is not enough memory for this net</source>
        <translation>이 신경망을 만들 메모리가 부족합니다</translation>
    </message>
    <message>
        <source>device '%1' cannot be used: %2</source>
        <translation>장치 ‘%1’: 쓸 수 없습니다. %2</translation>
    </message>
    <message>
        <source>pixel</source>
        <translation>픽셀</translation>
    </message>
    <message>
        <source>class</source>
        <translation>클래스</translation>
    </message>
    <message>
        <source>in</source>
        <translation>입력</translation>
    </message>
    <message>
        <source>out</source>
        <translation>출력</translation>
    </message>
    <message>
        <source>point</source>
        <translation>점</translation>
    </message>
    <message>
        <source>power</source>
        <translation>거듭제곱</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>스칼라</translation>
    </message>
    <message>
        <source>Fashion-MNIST is not whole: there is no %1; install the package dataset-fashion-mnist again</source>
        <translation>Fashion-MNIST 파일이 다 있지 않습니다. %1 파일이 없으니 dataset-fashion-mnist 패키지를 다시 설치하세요</translation>
    </message>
    <message>
        <source>Fashion-MNIST is not in %1: install the package dataset-fashion-mnist</source>
        <translation>%1 폴더에 Fashion-MNIST가 없습니다. dataset-fashion-mnist 패키지를 설치하세요</translation>
    </message>
    <message>
        <source>GRADUS_FASHION_MNIST is '%1', which is no folder: name the folder of the four IDX files there, or unset it to use the package dataset-fashion-mnist</source>
        <translation>GRADUS_FASHION_MNIST의 값 ‘%1’: 폴더가 아닙니다. IDX 파일 네 개가 있는 폴더를 적거나, 값을 지워 dataset-fashion-mnist 패키지를 쓰세요</translation>
    </message>
    <message>
        <source>%1: the gzip data is damaged or cut off</source>
        <translation>%1: gzip 데이터가 손상되었거나 잘려 있습니다</translation>
    </message>
    <message>
        <source>train_mlp: matmul_source stands in for the text of one kernel: say with matmul_rung of which</source>
        <translation>train_mlp: matmul_source는 한 커널의 소스를 대신합니다. 어느 커널인지 matmul_rung으로 정하세요</translation>
    </message>
    <message>
        <source>train_mlp: matmul_source is the text of a CUDA kernel, which --device simt runs, not %1</source>
        <translation>train_mlp: matmul_source는 CUDA 커널의 소스입니다. %1 대신 --device simt에서 실행하세요</translation>
    </message>
    <message>
        <source>train_mlp: watch must be none or one of layer1 to layer%1, not '%2'</source>
        <translation>train_mlp: watch는 none이거나 layer1부터 layer%1까지 가운데 하나입니다. '%2'가 아닙니다</translation>
    </message>
    <message>
        <source>train_mlp: watch records the lanes of a CUDA kernel, which --device simt runs, not %1</source>
        <translation>train_mlp: watch는 CUDA 커널의 레인을 기록합니다. %1 대신 --device simt에서 실행하세요</translation>
    </message>
    <message>
        <source>matmul_source: %1</source>
        <translation>matmul_source: %1</translation>
    </message>
    <message>
        <source>%1, as it was edited, %2: %3, line %4: %5</source>
        <translation>%1(고친 것): %2: %3 %4번째 줄: %5</translation>
    </message>
    <message>
        <source>%1, as it was edited, %2</source>
        <translation>%1(고친 것): %2</translation>
    </message>
    <message>
        <source>%1, line %2: thread (%3) of block (%4) writes %5, which thread (%6) of block (%7) reads at %8, line %9, and nothing orders the two</source>
        <translation>%1 %2번째 줄: 블록 (%4) 스레드 (%3)의 %5 쓰기와 블록 (%7) 스레드 (%6)의 읽기(%8 %9번째 줄) 사이에 정해진 순서가 없습니다</translation>
    </message>
    <message>
        <source>%1, line %2: thread (%3) of block (%4) reads %5, which thread (%6) of block (%7) writes at %8, line %9, and nothing orders the two</source>
        <translation>%1 %2번째 줄: 블록 (%4) 스레드 (%3)의 %5 읽기와 블록 (%7) 스레드 (%6)의 쓰기(%8 %9번째 줄) 사이에 정해진 순서가 없습니다</translation>
    </message>
    <message>
        <source>%1, line %2: thread (%3) of block (%4) writes %5, which thread (%6) of block (%7) writes at %8, line %9, and nothing orders the two</source>
        <translation>%1 %2번째 줄: 블록 (%4) 스레드 (%3)의 %5 쓰기와 블록 (%7) 스레드 (%6)의 쓰기(%8 %9번째 줄) 사이에 정해진 순서가 없습니다</translation>
    </message>
    <message>
        <source>%1, line %2: thread (%3) of block (%4) reads %5, which no thread of the block has written</source>
        <translation>%1 %2번째 줄: 블록 (%4) 스레드 (%3)에서 읽은 %5 값은 이 블록의 어떤 스레드도 쓴 적이 없습니다</translation>
    </message>
    <message>
        <source>%1, line %2: thread (%3) of block (%4) reads %5 bytes at byte %6 of %7, which has %8</source>
        <translation>%1 %2번째 줄: 블록 (%4) 스레드 (%3)이 %8바이트뿐인 %7의 오프셋 %6에서 %5바이트를 읽습니다</translation>
    </message>
    <message>
        <source>%1, line %2: thread (%3) of block (%4) reads 1 byte at byte %5 of %6, which has %7</source>
        <translation>%1 %2번째 줄: 블록 (%4) 스레드 (%3)이 %7바이트뿐인 %6의 오프셋 %5에서 1바이트를 읽습니다</translation>
    </message>
    <message>
        <source>%1, line %2: thread (%3) of block (%4) writes %5 bytes at byte %6 of %7, which has %8</source>
        <translation>%1 %2번째 줄: 블록 (%4) 스레드 (%3)이 %8바이트뿐인 %7의 오프셋 %6에서 %5바이트를 씁니다</translation>
    </message>
    <message>
        <source>%1, line %2: thread (%3) of block (%4) writes 1 byte at byte %5 of %6, which has %7</source>
        <translation>%1 %2번째 줄: 블록 (%4) 스레드 (%3)이 %7바이트뿐인 %6의 오프셋 %5에서 1바이트를 씁니다</translation>
    </message>
    <message>
        <source>%1, line %2: thread (%3) of block (%4) is still at work after %5</source>
        <translation>%1 %2번째 줄: 블록 (%4) 스레드 (%3)의 일이 %5 뒤에도 끝나지 않습니다</translation>
    </message>
    <message>
        <source>%1: the kernel was still at work after %2 s</source>
        <translation>%1: 커널이 %2초 뒤에도 끝나지 않았습니다</translation>
    </message>
    <message>
        <source>%1: the kernel tried to %2</source>
        <translation>%1: 커널이 하려던 일을 막았습니다(%2)</translation>
    </message>
</context>
<context>
    <name>Event</name>
    <message>
        <source>result</source>
        <translation>결과</translation>
    </message>
    <message>
        <source>fold</source>
        <translation>접기</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>접은 행렬</translation>
    </message>
    <message>
        <source>compare</source>
        <translation>비교</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>최소제곱</translation>
    </message>
    <message>
        <source>data</source>
        <translation>데이터</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>순전파</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>역전파</translation>
    </message>
    <message>
        <source>update</source>
        <translation>업데이트</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>평가</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>배치</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>%1층</translation>
    </message>
    <message>
        <source>plane</source>
        <translation>평면</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>블록 %1</translation>
    </message>
    <message>
        <source>lane %1</source>
        <translation>레인 %1</translation>
    </message>
    <message>
        <source>load</source>
        <translation>읽기</translation>
    </message>
    <message>
        <source>store</source>
        <translation>쓰기</translation>
    </message>
    <message>
        <source>atomic</source>
        <translation>아토믹</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>배리어</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>분기</translation>
    </message>
    <message>
        <source>asynchronous copy</source>
        <translation>비동기 복사</translation>
    </message>
    <message>
        <source>active mask</source>
        <translation>활성 마스크</translation>
    </message>
    <message>
        <source>fault</source>
        <translation>오류로 멈춘 자리</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>Fan</name>
    <message>
        <source>now %1</source>
        <translation>지금 %1</translation>
    </message>
</context>
<context>
    <name>Flow</name>
    <message>
        <source>The loss is computed again on both sides …</source>
        <translation>양쪽에서 손실을 다시 계산하고 있습니다 …</translation>
    </message>
    <message>
        <source>Click a filled bar: its largest gradient is checked by finite differences.</source>
        <translation>채워진 막대를 클릭하면 그중 가장 큰 그래디언트를 유한 차분으로 검사합니다.</translation>
    </message>
    <message>
        <source>finite difference</source>
        <translation>유한 차분</translation>
    </message>
    <message>
        <source>relative difference</source>
        <translation>상대 차이</translation>
    </message>
    <message>
        <source>rounding of L</source>
        <translation>L의 반올림 오차</translation>
    </message>
    <message>
        <source>computed in fp64</source>
        <translation>fp64로 계산</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>a kink lies between</source>
        <translation>사이에 꺾인 곳</translation>
    </message>
    <message>
        <source>%1 ReLUs flip</source>
        <translation>뒤집힌 ReLU %1개</translation>
    </message>
    <message>
        <source>convention</source>
        <translation>통상값</translation>
    </message>
    <message>
        <source>no update</source>
        <translation>갱신 없음</translation>
    </message>
    <message>
        <source>%1 NaN or inf</source>
        <translation>NaN·inf %1개</translation>
    </message>
    <message>
        <source>norm, output at the top</source>
        <translation>노름, 맨 위가 출력</translation>
    </message>
    <message>
        <source>‖∂W‖, output at the top</source>
        <translation>‖∂W‖, 맨 위가 출력</translation>
    </message>
    <message>
        <source>output at the top</source>
        <translation>맨 위가 출력</translation>
    </message>
    <message>
        <source>update ‖Δθ‖ ∕ ‖θ‖</source>
        <translation>업데이트 ‖Δθ‖ ∕ ‖θ‖</translation>
    </message>
    <message>
        <source>‖%1‖ over steps</source>
        <translation>스텝별 ‖%1‖</translation>
    </message>
    <message>
        <source>sizes |%1|, each number</source>
        <translation>원소별 크기 |%1|</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>%1층</translation>
    </message>
    <message>
        <source>%1 % zeros</source>
        <translation>0이 %1 %</translation>
    </message>
    <message>
        <source>%1 of %2 are 0</source>
        <translation>%2개 중 %1개가 0</translation>
    </message>
    <message>
        <source>%1 are NaN or inf</source>
        <translation>NaN·inf %1개</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2의 %1</translation>
    </message>
    <message>
        <source>update of %1</source>
        <translation>%1의 업데이트</translation>
    </message>
    <message>
        <source>This iteration did not move it.</source>
        <translation>이 스텝에서는 움직이지 않았습니다.</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>비율</translation>
    </message>
    <message>
        <source>The line at 0.001 is a convention, not a law.</source>
        <translation>0.001의 선은 통상값일 뿐 법칙이 아닙니다.</translation>
    </message>
    <message>
        <source>Finite difference at %1</source>
        <translation>%1의 유한 차분</translation>
    </message>
    <message>
        <source>rounding of L alone: ±%1</source>
        <translation>L의 반올림 오차만: ±%1</translation>
    </message>
    <message>
        <source>In fp64 on the batch of step %1.</source>
        <translation>스텝 %1의 배치에서 fp64로 계산했습니다.</translation>
    </message>
    <message>
        <source>%1 ReLUs flip between θ − h and θ + h: a kink lies between.</source>
        <translation>θ − h와 θ + h 사이에서 ReLU %1개가 뒤집힙니다. 그 사이에 꺾인 곳이 있습니다.</translation>
    </message>
    <message>
        <source>Gradient flow</source>
        <translation>그래디언트 흐름</translation>
    </message>
</context>
<context>
    <name>Folds</name>
    <message>
        <source>Folds</source>
        <translation>접기</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%2 뒤의 %1</translation>
    </message>
    <message>
        <source>one %1 matrix and a bias</source>
        <translation>%1 행렬 하나와 편향</translation>
    </message>
    <message>
        <source>one %1 matrix</source>
        <translation>%1 행렬 하나</translation>
    </message>
    <message>
        <source>%1 of %2 matrices left</source>
        <translation>행렬 %2개 가운데 %1개 남음</translation>
    </message>
    <message>
        <source>Every step is linear, so all of them fold into one.</source>
        <translation>모든 단계가 선형이므로 하나로 다 접힙니다.</translation>
    </message>
    <message>
        <source>Of %1 steps that are not linear none changes a number: on these inputs they stop no fold.</source>
        <translation>선형이 아닌 단계 %1개 가운데 숫자를 바꾸는 것이 없습니다. 이 입력에서는 접기를 막지 않습니다.</translation>
    </message>
    <message>
        <source>Of %1 steps that are not linear %2 change numbers: nothing folds across those.</source>
        <translation>선형이 아닌 단계 %1개 가운데 %2개가 숫자를 바꿉니다. 그 앞뒤는 서로 접히지 않습니다.</translation>
    </message>
    <message>
        <source>%1 changes none of %2 numbers: on these inputs it stops no fold.</source>
        <translation>%1: 숫자 %2개 가운데 바꾼 것이 없습니다. 이 입력에서는 접기를 막지 않습니다.</translation>
    </message>
    <message>
        <source>%1 changes %2 of %3 numbers: nothing folds across it.</source>
        <translation>%1: 숫자 %3개 가운데 %2개를 바꿉니다. 그 앞뒤는 서로 접히지 않습니다.</translation>
    </message>
    <message>
        <source>changes %1 of %2 numbers</source>
        <translation>숫자 %2개 가운데 %1개를 바꿈</translation>
    </message>
    <message>
        <source>what stops a fold</source>
        <translation>접기를 막는 것</translation>
    </message>
    <message>
        <source>the same numbers as the layers</source>
        <translation>층들과 같은 수</translation>
    </message>
    <message>
        <source>within %1 of the layers</source>
        <translation>층들과의 차이 %1 이내</translation>
    </message>
</context>
<context>
    <name>Graph</name>
    <message>
        <source>after the update</source>
        <translation>업데이트 후</translation>
    </message>
    <message>
        <source>the same bits as without the change</source>
        <translation>변경이 없을 때와 같은 비트</translation>
    </message>
    <message>
        <source>without the change %1</source>
        <translation>변경이 없으면 %1</translation>
    </message>
    <message>
        <source>%1 of its %2 numbers changed</source>
        <translation>%2개 중 %1개가 달라짐</translation>
    </message>
    <message>
        <source>%1 of its %2 numbers changed; without the change %3</source>
        <translation>%2개 중 %1개가 달라짐(변경이 없으면 %3)</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
</context>
<context>
    <name>Listing</name>
    <message>
        <source>%1, left out</source>
        <translation>%1, 뺀 줄</translation>
    </message>
    <message>
        <source>Z enlarges</source>
        <translation>Z를 누르면 커집니다</translation>
    </message>
    <message>
        <source>lines %1</source>
        <translation>%1번째 줄</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>뺀 줄</translation>
    </message>
</context>
<context>
    <name>Level</name>
    <message>
        <source>run</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>step</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>단계</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>층</translation>
    </message>
    <message>
        <source>op</source>
        <translation>연산</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>커널</translation>
    </message>
    <message>
        <source>block</source>
        <translation>블록</translation>
    </message>
    <message>
        <source>warp step</source>
        <translation>워프 스텝</translation>
    </message>
    <message>
        <source>lane</source>
        <translation>레인</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>비트</translation>
    </message>
</context>
<context>
    <name>Name</name>
    <message>
        <source>intercept_%1</source>
        <translation>%1의 절편</translation>
    </message>
    <message>
        <source>slope_%1</source>
        <translation>%1의 기울기</translation>
    </message>
    <message>
        <source>coefficients</source>
        <translation>계수</translation>
    </message>
    <message>
        <source>plane</source>
        <translation>평면</translation>
    </message>
    <message>
        <source>label</source>
        <translation>정답</translation>
    </message>
    <message>
        <source>result</source>
        <translation>결과</translation>
    </message>
    <message>
        <source>result of %1</source>
        <translation>결과 %1</translation>
    </message>
    <message>
        <source>y folded</source>
        <translation>접은 y</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>잔차</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>손실</translation>
    </message>
</context>
<context>
    <name>Parameter</name>
    <message>
        <source>Threads of a block</source>
        <translation>블록의 스레드</translation>
    </message>
    <message>
        <source>Chip</source>
        <translation>칩</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>채널 수</translation>
    </message>
    <message>
        <source>Scale grows after</source>
        <translation>배율이 커지는 간격</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>손실 배율</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>정규화</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>정밀도</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>학습률 일정</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>준비 구간</translation>
    </message>
    <message>
        <source>Weight decay λ</source>
        <translation>가중치 감쇠 λ</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>활성화</translation>
    </message>
    <message>
        <source>After layers</source>
        <translation>뒤에 둘 층 번호</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>배치 크기</translation>
    </message>
    <message>
        <source>Between the layers</source>
        <translation>층 사이</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>편향</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>클래스 수</translation>
    </message>
    <message>
        <source>Curvature a</source>
        <translation>곡률 a</translation>
    </message>
    <message>
        <source>Curvature a₂</source>
        <translation>곡률 a₂</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>데이터</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>깊이</translation>
    </message>
    <message>
        <source>Number type</source>
        <translation>숫자 형식</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>입력 수</translation>
    </message>
    <message>
        <source>Intercept of f</source>
        <translation>f의 절편</translation>
    </message>
    <message>
        <source>Intercept of g</source>
        <translation>g의 절편</translation>
    </message>
    <message>
        <source>Intercept of h</source>
        <translation>h의 절편</translation>
    </message>
    <message>
        <source>Intercept of k</source>
        <translation>k의 절편</translation>
    </message>
    <message>
        <source>Intercept of the plane</source>
        <translation>평면의 절편</translation>
    </message>
    <message>
        <source>Right class</source>
        <translation>정답 클래스</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>층 크기</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>직선의 수</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>Learning rate η</source>
        <translation>학습률 η</translation>
    </message>
    <message>
        <source>Momentum β</source>
        <translation>모멘텀 β</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>잡음</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>목적 함수</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>빼는 줄</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>연산</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>배율</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>시드 수</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>더하는 값</translation>
    </message>
    <message>
        <source>Slope of f</source>
        <translation>f의 기울기</translation>
    </message>
    <message>
        <source>Slope of g</source>
        <translation>g의 기울기</translation>
    </message>
    <message>
        <source>Slope of h</source>
        <translation>h의 기울기</translation>
    </message>
    <message>
        <source>Slope of k</source>
        <translation>k의 기울기</translation>
    </message>
    <message>
        <source>Slope in x₁</source>
        <translation>x₁ 방향 기울기</translation>
    </message>
    <message>
        <source>Slope in x₂</source>
        <translation>x₂ 방향 기울기</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>시작점</translation>
    </message>
    <message>
        <source>Second start</source>
        <translation>두 번째 시작점</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>스텝 수</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>곡면</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>너비</translation>
    </message>
    <message>
        <source>Logit z₀</source>
        <translation>로짓 z₀</translation>
    </message>
    <message>
        <source>Logit z₁</source>
        <translation>로짓 z₁</translation>
    </message>
</context>
<context>
    <name>Neuron</name>
    <message>
        <source>Neuron</source>
        <translation>뉴런</translation>
    </message>
    <message>
        <source>test image %1</source>
        <translation>테스트 사진 %1</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>클래스 %1</translation>
    </message>
    <message>
        <source>neuron %1</source>
        <translation>뉴런 %1</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>가중치 %1</translation>
    </message>
    <message>
        <source>largest %1</source>
        <translation>%1이 큰 순</translation>
    </message>
    <message>
        <source>largest %1 of the first %2 test images</source>
        <translation>테스트 사진 앞 %2장 중 %1이 큰 순</translation>
    </message>
    <message>
        <source>%1 of all neurons</source>
        <translation>모든 뉴런의 %1</translation>
    </message>
    <message>
        <source>%1 of all neurons on test image %2</source>
        <translation>테스트 사진 %2에 대한 모든 뉴런의 %1</translation>
    </message>
    <message>
        <source>here %1 to %2 of %3</source>
        <translation>%3개 중 %1–%2</translation>
    </message>
    <message>
        <source>of the pixel in row %1, column %2</source>
        <translation>%1행 %2열 픽셀의 가중치</translation>
    </message>
    <message>
        <source>Click: what all neurons say of it</source>
        <translation>클릭: 이 사진에 대한 모든 뉴런의 답</translation>
    </message>
    <message>
        <source>Click: its weights and its images</source>
        <translation>클릭: 이 뉴런의 가중치와 사진</translation>
    </message>
</context>
<context>
    <name>OptionPictures</name>
    <message>
        <source>The choices are pictures, but the examples of this data set are none.</source>
        <translation>보기는 사진이지만 이 데이터 세트의 예제는 사진이 아닙니다.</translation>
    </message>
    <message>
        <source>A choice shows test image %1, but this data set has only %2.</source>
        <translation>보기에 필요한 테스트 사진 %1번이 없습니다. 이 데이터 세트에는 %2장뿐입니다.</translation>
    </message>
</context>
<context>
    <name>Probabilities</name>
    <message>
        <source>outlines: computed later</source>
        <translation>빈 막대: 나중에 계산</translation>
    </message>
    <message>
        <source>outlines: computed later in this step</source>
        <translation>빈 막대: 이 스텝에서 나중에 계산</translation>
    </message>
    <message>
        <source>Probabilities</source>
        <translation>확률</translation>
    </message>
    <message>
        <source>class</source>
        <translation>클래스</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>클래스 %1</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>로짓</translation>
    </message>
    <message>
        <source>logits z</source>
        <translation>로짓 z</translation>
    </message>
    <message>
        <source>probabilities</source>
        <translation>확률</translation>
    </message>
    <message>
        <source>logit of class %1</source>
        <translation>클래스 %1의 로짓</translation>
    </message>
    <message>
        <source>probability of class %1</source>
        <translation>클래스 %1의 확률</translation>
    </message>
    <message>
        <source>gradient at the logit of class %1</source>
        <translation>클래스 %1의 로짓에 대한 그래디언트</translation>
    </message>
    <message>
        <source>gradient at the logits</source>
        <translation>로짓에 대한 그래디언트</translation>
    </message>
    <message>
        <source>update: from p to the next p</source>
        <translation>업데이트: p에서 다음 p로</translation>
    </message>
    <message>
        <source>cross-entropy</source>
        <translation>교차 엔트로피</translation>
    </message>
    <message>
        <source>triangle of probabilities</source>
        <translation>확률 삼각형</translation>
    </message>
    <message>
        <source>the right class</source>
        <translation>정답 클래스</translation>
    </message>
    <message>
        <source>here this class would have all of the probability</source>
        <translation>여기서는 이 클래스의 확률이 1입니다</translation>
    </message>
    <message>
        <source>The nearer to a corner, the more probable its class.</source>
        <translation>꼭짓점에 가까울수록 그 클래스의 확률이 큽니다.</translation>
    </message>
    <message>
        <source>the arrow from y to p</source>
        <translation>y에서 p로 가는 화살표</translation>
    </message>
    <message>
        <source>update</source>
        <translation>업데이트</translation>
    </message>
    <message>
        <source>pull a bar up or down</source>
        <translation>막대를 위아래로 끌기</translation>
    </message>
    <message>
        <source>Pull it up or down, or double-click it, to change it.</source>
        <translation>위아래로 끌거나 더블 클릭하면 값을 바꿀 수 있습니다.</translation>
    </message>
    <message>
        <source>Esc puts it back</source>
        <translation>Esc를 누르면 제자리로</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>step %1 is computed again, %2 %</source>
        <translation>스텝 %1 다시 계산 중, %2 %</translation>
    </message>
    <message>
        <source>The tensors of this step are no longer kept.</source>
        <translation>이 스텝의 텐서는 더 이상 남아 있지 않습니다.</translation>
    </message>
    <message>
        <source>This run has no logits z with probabilities p.</source>
        <translation>이 실행에는 로짓 z와 확률 p가 없습니다.</translation>
    </message>
    <message>
        <source>%1 classes are too many for bars.</source>
        <translation>클래스가 %1개라 막대로 그리기에는 너무 많습니다.</translation>
    </message>
</context>
<context>
    <name>Provenance</name>
    <message>
        <source>computed</source>
        <translation>계산</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>측정</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>집계</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>추산</translation>
    </message>
    <message>
        <source>cited</source>
        <translation>인용</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>실행 취소(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>다시 실행(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>잘라내기(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>복사(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>붙여넣기(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>삭제</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>모두 선택</translation>
    </message>
</context>
<context>
    <name>Regions</name>
    <message>
        <source>%1 is positive everywhere here</source>
        <translation>%1: 여기서는 모두 양수</translation>
    </message>
    <message>
        <source>%1 is positive nowhere here</source>
        <translation>%1: 여기서는 양수인 곳 없음</translation>
    </message>
    <message>
        <source>%1 of %2 on a wrong side</source>
        <translation>%2개 중 %1개가 틀린 쪽</translation>
    </message>
    <message>
        <source>wrong side</source>
        <translation>틀린 쪽</translation>
    </message>
    <message>
        <source>boundary</source>
        <translation>경계</translation>
    </message>
    <message>
        <source>neuron h is 0</source>
        <translation>뉴런 h가 0</translation>
    </message>
    <message>
        <source>line of neuron %1</source>
        <translation>뉴런 %1의 직선</translation>
    </message>
    <message>
        <source>✕ NaN or inf on %1 of %2 blocks</source>
        <translation>✕ %2칸 중 %1칸이 NaN·inf</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>클래스 %1</translation>
    </message>
    <message>
        <source>output z</source>
        <translation>출력 z</translation>
    </message>
    <message>
        <source>probability of class 1</source>
        <translation>클래스 1의 확률</translation>
    </message>
    <message>
        <source>outputs z[1] − z[0]</source>
        <translation>출력 z[1] − z[0]</translation>
    </message>
    <message>
        <source>✕ the output is not finite</source>
        <translation>✕ 출력이 유한하지 않습니다</translation>
    </message>
    <message>
        <source>the net says class %1</source>
        <translation>신경망의 답: 클래스 %1</translation>
    </message>
    <message>
        <source>point %1</source>
        <translation>%1번 점</translation>
    </message>
    <message>
        <source>Drag it: a branch learns from where you leave it.</source>
        <translation>끌어다 놓으면 그 자리에서 새로 학습하는 가지가 생깁니다.</translation>
    </message>
    <message>
        <source>Decision regions</source>
        <translation>결정 영역</translation>
    </message>
    <message>
        <source>%1 is not finite</source>
        <translation>%1: 유한한 수가 아님</translation>
    </message>
</context>
<context>
    <name>Rungs</name>
    <message>
        <source>launches</source>
        <translation>실행 수</translation>
    </message>
    <message>
        <source>kernels launched one after the other</source>
        <translation>차례로 실행한 커널의 수입니다</translation>
    </message>
    <message>
        <source>warp instructions</source>
        <translation>워프 명령</translation>
    </message>
    <message>
        <source>accesses, barriers, collectives and turns of loops, once for each warp</source>
        <translation>메모리 접근, 배리어, 집단 연산, 반복문의 되돌아가기를 워프마다 한 번씩 센 값입니다</translation>
    </message>
    <message>
        <source>barriers</source>
        <translation>배리어</translation>
    </message>
    <message>
        <source>once for each warp that waits there</source>
        <translation>거기서 기다리는 워프마다 한 번씩 센 값입니다</translation>
    </message>
    <message>
        <source>requests, global</source>
        <translation>요청, 전역</translation>
    </message>
    <message>
        <source>warp instructions that load from global memory or store there</source>
        <translation>전역 메모리에서 읽거나 거기에 쓰는 워프 명령의 수입니다</translation>
    </message>
    <message>
        <source>sectors</source>
        <translation>섹터</translation>
    </message>
    <message>
        <source>pieces of 32 bytes of global memory that requests fall into</source>
        <translation>요청이 걸치는 전역 메모리의 32바이트 조각 수입니다</translation>
    </message>
    <message>
        <source>requests, shared</source>
        <translation>요청, 공유</translation>
    </message>
    <message>
        <source>warp instructions that load from shared memory or store there</source>
        <translation>공유 메모리에서 읽거나 거기에 쓰는 워프 명령의 수입니다</translation>
    </message>
    <message>
        <source>wavefronts</source>
        <translation>웨이브프런트</translation>
    </message>
    <message>
        <source>turns of the banks of shared memory</source>
        <translation>공유 메모리의 뱅크가 나누어 처리한 횟수입니다</translation>
    </message>
    <message>
        <source>bytes, shared</source>
        <translation>바이트, 공유</translation>
    </message>
    <message>
        <source>wavefronts × 128 bytes</source>
        <translation>웨이브프런트 × 128바이트</translation>
    </message>
    <message>
        <source>bytes, L2</source>
        <translation>바이트, L2</translation>
    </message>
    <message>
        <source>what is asked of L1, where L1 holds none of it</source>
        <translation>L1에 요청한 값, 곧 L1에 하나도 없을 때 L2에 요청하는 값입니다</translation>
    </message>
    <message>
        <source>bytes, memory</source>
        <translation>바이트, 메모리</translation>
    </message>
    <message>
        <source>distinct sectors × 32 bytes: each once</source>
        <translation>서로 다른 섹터 × 32바이트, 저마다 한 번씩입니다</translation>
    </message>
    <message>
        <source>multiply-adds</source>
        <translation>곱셈-덧셈</translation>
    </message>
    <message>
        <source>of all lanes</source>
        <translation>모든 레인에서 센 값입니다</translation>
    </message>
    <message>
        <source>FLOP per byte</source>
        <translation>바이트당 FLOP</translation>
    </message>
    <message>
        <source>two for each multiply-add, by the bytes asked of L1</source>
        <translation>곱셈-덧셈마다 2 FLOP으로 세고, L1에 요청한 바이트로 나눈 값입니다</translation>
    </message>
    <message>
        <source>time, %1</source>
        <translation>시간, %1</translation>
    </message>
    <message>
        <source>modelled, not measured: the roofline of the chip, from FLOPs and the bytes asked; no GPU is at work here</source>
        <translation>측정이 아니라 추산입니다. FLOP과 요청한 바이트를 칩의 루프라인에 넣은 값이고, 여기에는 일하는 GPU가 없습니다</translation>
    </message>
    <message>
        <source>time, this CPU</source>
        <translation>시간, 이 CPU</translation>
    </message>
    <message>
        <source>measured: the same kernel on one core of this processor, without a GPU</source>
        <translation>측정한 값입니다. 같은 커널을 GPU 없이 이 프로세서의 코어 하나에서 실행했습니다</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>같음</translation>
    </message>
    <message>
        <source>none before</source>
        <translation>전에는 없음</translation>
    </message>
    <message>
        <source>none any more</source>
        <translation>이제 없음</translation>
    </message>
    <message>
        <source>%1× more</source>
        <translation>%1배 많음</translation>
    </message>
    <message>
        <source>%1× fewer</source>
        <translation>%1배 적음</translation>
    </message>
    <message>
        <source>%1× less</source>
        <translation>%1배 적음</translation>
    </message>
    <message>
        <source>%1× longer</source>
        <translation>%1배 긺</translation>
    </message>
    <message>
        <source>%1× shorter</source>
        <translation>%1배 짧음</translation>
    </message>
    <message>
        <source>%1× higher</source>
        <translation>%1배 큼</translation>
    </message>
    <message>
        <source>%1× lower</source>
        <translation>%1배 작음</translation>
    </message>
    <message>
        <source>No step of %1 was recorded: only what it did as a whole can be compared.</source>
        <translation>%1의 스텝은 기록하지 않았습니다. 전체 값만 견줄 수 있습니다.</translation>
    </message>
    <message>
        <source>The record of %1 was full before its end: it stands still there.</source>
        <translation>%1의 기록이 끝나기 전에 가득 찼습니다. 거기서 멈춥니다.</translation>
    </message>
    <message>
        <source>This run climbs no ladder: it has no rungs to compare.</source>
        <translation>이 실행은 커널 사다리를 오르지 않으므로 견줄 단계가 없습니다.</translation>
    </message>
    <message>
        <source>One rung has been climbed so far: the next one will stand beside it.</source>
        <translation>지금까지 한 단계만 올랐습니다. 다음 단계가 그 옆에 놓입니다.</translation>
    </message>
    <message>
        <source>What was recorded of %1 is no longer in memory: its counts are.</source>
        <translation>%1의 기록은 메모리에 남아 있지 않고, 센 값만 있습니다.</translation>
    </message>
    <message>
        <source>load</source>
        <translation>읽기</translation>
    </message>
    <message>
        <source>store</source>
        <translation>쓰기</translation>
    </message>
    <message>
        <source>asynchronous copy</source>
        <translation>비동기 복사</translation>
    </message>
    <message>
        <source>atomic</source>
        <translation>원자적 연산</translation>
    </message>
    <message>
        <source>line</source>
        <translation>줄</translation>
    </message>
    <message>
        <source>warp step</source>
        <translation>워프 스텝</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>배리어</translation>
    </message>
    <message>
        <source>%1 % of a warp's multiply-adds are done</source>
        <translation>한 워프의 곱셈-덧셈 가운데 %1 %를 마쳤습니다</translation>
    </message>
    <message>
        <source>%1 % of a warp's bytes of global memory are moved</source>
        <translation>한 워프가 옮길 전역 메모리 바이트 가운데 %1 %를 옮겼습니다</translation>
    </message>
    <message>
        <source>%1 % of a warp's steps are done</source>
        <translation>한 워프의 스텝 가운데 %1 %를 마쳤습니다</translation>
    </message>
    <message>
        <source>%1 % of the multiply-adds done. Sectors so far: %2, %3</source>
        <translation>곱셈-덧셈 %1 %를 마쳤습니다. 지금까지 섹터: %2, %3</translation>
    </message>
    <message>
        <source>%1 % of the work done. Sectors so far: %2, %3</source>
        <translation>일을 %1 % 마쳤습니다. 지금까지 섹터: %2, %3</translation>
    </message>
    <message>
        <source>%1 sectors, %2 wavefronts so far</source>
        <translation>지금까지 섹터 %1개, 웨이브프런트 %2번</translation>
    </message>
    <message>
        <source>warp %1 has %2 steps; none is done</source>
        <translation>워프 %1의 스텝은 %2개이고, 아직 하나도 하지 않았습니다</translation>
    </message>
    <message>
        <source>warp %1, step %2 of %3: %4 sectors, %5 wavefronts so far</source>
        <translation>워프 %1, 스텝 %2/%3: 지금까지 섹터 %4개, 웨이브프런트 %5번</translation>
    </message>
    <message>
        <source>%1 of %2: %3 wavefronts per request, ideal %4; %5 requests</source>
        <translation>%2 %1: 요청당 웨이브프런트 %3번, 이상적 %4번; 요청 %5번</translation>
    </message>
    <message>
        <source>%1 of %2: %3 sectors per request, ideal %4; %5 requests</source>
        <translation>%2 %1: 요청당 섹터 %3개, 이상적 %4개; 요청 %5번</translation>
    </message>
    <message>
        <source>in both</source>
        <translation>둘 다</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>바뀜</translation>
    </message>
    <message>
        <source>only in A</source>
        <translation>A에만</translation>
    </message>
    <message>
        <source>only in B</source>
        <translation>B에만</translation>
    </message>
    <message>
        <source>%1 more lines</source>
        <translation>%1줄 더</translation>
    </message>
    <message>
        <source>per request, counted in the source</source>
        <translation>요청당, 소스에서 센 값</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>이상적</translation>
    </message>
</context>
<context>
    <name>gradus::RungsView</name>
    <message>
        <source>Kernel comparison</source>
        <translation>커널 비교</translation>
    </message>
    <message>
        <source>A %1, B %2</source>
        <translation>A %1, B %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, line %2, %3, where it is: %4</source>
        <translation>%1, %2번째 줄, %3, 지금 있는 곳: %4</translation>
    </message>
    <message>
        <source>%1, line %2, %3: %4</source>
        <translation>%1, %2번째 줄, %3: %4</translation>
    </message>
    <message>
        <source>what line %1 of %2 costs</source>
        <translation>%2의 %1번째 줄에 드는 것</translation>
    </message>
    <message>
        <source>ideal for %1: %2</source>
        <translation>%1의 이상적인 값: %2</translation>
    </message>
    <message>
        <source>compare with %1</source>
        <translation>%1 단계와 비교</translation>
    </message>
    <message>
        <source>%1 is %2, where you stand</source>
        <translation>%1: %2, 지금 있는 단계</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>forwards by one: %1</source>
        <translation>하나 앞으로: %1</translation>
    </message>
    <message>
        <source>back by one: %1</source>
        <translation>하나 뒤로: %1</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>끝</translation>
    </message>
    <message>
        <source>how far both are</source>
        <translation>둘 다 어디까지 왔는지</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>nothing recorded yet</source>
        <translation>아직 기록 없음</translation>
    </message>
    <message>
        <source>at step %1, %2</source>
        <translation>스텝 %1의 값, %2</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>스텝 %1의 값</translation>
    </message>
    <message>
        <source>as started</source>
        <translation>처음 그대로</translation>
    </message>
    <message>
        <source>from step %1, %2</source>
        <translation>스텝 %1에서, %2</translation>
    </message>
    <message>
        <source>all %1 done</source>
        <translation>%1스텝 모두 끝남</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>실패함</translation>
    </message>
</context>
<context>
    <name>Series</name>
    <message>
        <source>Learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>손실 배율</translation>
    </message>
    <message>
        <source>Skipped steps</source>
        <translation>건너뛴 단계</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>정확도</translation>
    </message>
    <message>
        <source>Test accuracy</source>
        <translation>테스트 정확도</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>그래디언트 노름</translation>
    </message>
    <message>
        <source>Time per step</source>
        <translation>스텝당 시간</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>가장 큰 차이</translation>
    </message>
    <message>
        <source>Matrices left</source>
        <translation>남은 행렬</translation>
    </message>
    <message>
        <source>result</source>
        <translation>결과</translation>
    </message>
    <message>
        <source>degree</source>
        <translation>차수</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>잔차</translation>
    </message>
    <message>
        <source>arrow, its length</source>
        <translation>화살표(arrow)의 길이</translation>
    </message>
</context>
<context>
    <name>Strips</name>
    <message>
        <source>%1, nothing recorded yet</source>
        <translation>%1, 아직 기록 없음</translation>
    </message>
    <message>
        <source>fork %1: %2</source>
        <translation>가지 %1: %2</translation>
    </message>
    <message>
        <source>begun anew</source>
        <translation>새로 시작한 실행</translation>
    </message>
    <message>
        <source>%1, loss not finite from step %2</source>
        <translation>%1, 스텝 %2부터 손실이 유한하지 않음</translation>
    </message>
    <message>
        <source>%1, failed</source>
        <translation>%1, 실패</translation>
    </message>
    <message>
        <source>%1, recorded to step %2</source>
        <translation>%1, 스텝 %2까지 기록</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>not yet run</source>
        <translation>아직 실행 전</translation>
    </message>
    <message>
        <source>pale: not recorded; an ordinary step in its place</source>
        <translation>옅은 곳: 기록이 없어 보통의 스텝으로 그림</translation>
    </message>
</context>
<context>
    <name>Tensor</name>
    <message>
        <source>example</source>
        <translation>예제</translation>
    </message>
    <message>
        <source>local derivative %1</source>
        <translation>국소 미분 %1</translation>
    </message>
    <message>
        <source>set from outside, step %1, %2</source>
        <translation>직접 바꾼 값, 스텝 %1, %2</translation>
    </message>
    <message>
        <source>as it was before step %1, where another was set, %2</source>
        <translation>스텝 %1에서 다른 원소를 바꾸기 전 그대로, %2</translation>
    </message>
    <message>
        <source>%1, before step 0, %2</source>
        <translation>%1, 스텝 0 이전, %2</translation>
    </message>
    <message>
        <source>%1, step %2, %3</source>
        <translation>%1, 스텝 %2, %3</translation>
    </message>
    <message>
        <source>all %1 terms are 0</source>
        <translation>항 %1개가 모두 0</translation>
    </message>
    <message>
        <source>1 where %1 &gt; 0, else 0</source>
        <translation>%1 &gt; 0이면 1, 아니면 0</translation>
    </message>
    <message>
        <source>%2 where %1 &gt; 0, else 0</source>
        <translation>%1 &gt; 0이면 %2, 아니면 0</translation>
    </message>
    <message>
        <source>(%1 terms)</source>
        <translation>(항 %1개)</translation>
    </message>
    <message>
        <source>largest of %1 terms</source>
        <translation>항 %1개 중 가장 큰 것</translation>
    </message>
    <message>
        <source>Point at a cell: its number, and what made it.</source>
        <translation>칸에 마우스를 올리면 숫자와 그 숫자를 만든 계산이 보입니다.</translation>
    </message>
    <message>
        <source>Pull it up or down, or double-click it, to change it.</source>
        <translation>위아래로 끌거나 두 번 클릭하면 바꿀 수 있습니다.</translation>
    </message>
    <message>
        <source>axis %1</source>
        <translation>축 %1</translation>
    </message>
    <message>
        <source>%1 %2 of %3</source>
        <translation>%1 %2 / %3</translation>
    </message>
    <message>
        <source>matrix</source>
        <translation>행렬</translation>
    </message>
    <message>
        <source>pictures</source>
        <translation>그림</translation>
    </message>
    <message>
        <source>before the update</source>
        <translation>업데이트 전</translation>
    </message>
    <message>
        <source>%1 values, log count</source>
        <translation>값 %1개의 분포(로그)</translation>
    </message>
    <message>
        <source>1 is 0</source>
        <translation>0이 1개</translation>
    </message>
    <message>
        <source>%1 are 0</source>
        <translation>0이 %1개</translation>
    </message>
    <message>
        <source>%1 pictures</source>
        <translation>그림 %1장</translation>
    </message>
    <message>
        <source>%1 to %2 of %3 pictures</source>
        <translation>그림 %3장 중 %1~%2</translation>
    </message>
    <message>
        <source>%1, one per %2</source>
        <translation>%1, %2마다 한 장</translation>
    </message>
    <message>
        <source>output</source>
        <translation>출력</translation>
    </message>
    <message>
        <source>; blue: class y</source>
        <translation>; 파랑: 클래스 y</translation>
    </message>
    <message>
        <source>; above it its class y</source>
        <translation>; 위는 정답 클래스 y</translation>
    </message>
    <message>
        <source>; after its number, its class y</source>
        <translation>; 번호 다음은 정답 클래스 y</translation>
    </message>
    <message>
        <source>a pixel: mean of %1, or its outlier</source>
        <translation>픽셀 하나: %1칸의 평균 또는 유난히 큰 값</translation>
    </message>
    <message>
        <source>the colours span 99.5 % of the numbers</source>
        <translation>색의 범위: 숫자의 99.5 %</translation>
    </message>
    <message>
        <source>%1 not written</source>
        <translation>%1개는 기록되지 않음</translation>
    </message>
    <message>
        <source>outlined: what the lanes touch now</source>
        <translation>테두리: 지금 레인이 다루는 곳</translation>
    </message>
    <message>
        <source>(%1 of them)</source>
        <translation>(그중 %1개)</translation>
    </message>
    <message>
        <source>Σ of %1 products, from %2</source>
        <translation>곱 %1개의 Σ, 읽은 곳: %2</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>읽은 곳: %1</translation>
    </message>
    <message>
        <source>%1, block %2, thread %3, %4</source>
        <translation>%1, 블록 %2, 스레드 %3, %4</translation>
    </message>
</context>
<context>
    <name>Theme</name>
    <message>
        <source>11</source>
        <translation>12</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>between ops</source>
        <translation>연산 사이</translation>
    </message>
    <message>
        <source>%1 more ops</source>
        <translation>그 밖의 연산 %1개</translation>
    </message>
    <message>
        <source>work</source>
        <translation>계산량</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>바이트</translation>
    </message>
    <message>
        <source>%1 read, %2 written</source>
        <translation>%1 읽음, %2 씀</translation>
    </message>
    <message>
        <source>counted ÷ measured</source>
        <translation>집계 ÷ 측정</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>속도</translation>
    </message>
    <message>
        <source>computed by</source>
        <translation>구현</translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation>이벤트 %1개</translation>
    </message>
    <message>
        <source>narrower than a pixel: zoom in</source>
        <translation>한 픽셀보다 좁습니다. 확대해 보세요</translation>
    </message>
    <message>
        <source>from</source>
        <translation>처음</translation>
    </message>
    <message>
        <source>to</source>
        <translation>끝</translation>
    </message>
    <message>
        <source>start</source>
        <translation>시작</translation>
    </message>
    <message>
        <source>took</source>
        <translation>걸린 시간</translation>
    </message>
    <message>
        <source>of the step</source>
        <translation>스텝에서 차지하는 몫</translation>
    </message>
    <message>
        <source>of the time</source>
        <translation>전체 시간에서 차지하는 몫</translation>
    </message>
    <message>
        <source>median</source>
        <translation>중앙값</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>평균</translation>
    </message>
    <message>
        <source>10 to 90 %</source>
        <translation>10~90 %</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>단계</translation>
    </message>
    <message>
        <source>module</source>
        <translation>모듈</translation>
    </message>
    <message>
        <source>op</source>
        <translation>연산</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>커널</translation>
    </message>
    <message>
        <source>lane %1</source>
        <translation>레인 %1</translation>
    </message>
    <message>
        <source>share</source>
        <translation>몫</translation>
    </message>
    <message>
        <source>time</source>
        <translation>시간</translation>
    </message>
    <message>
        <source>%1 more, together %2 %</source>
        <translation>그 밖에 %1개, 합쳐서 %2 %</translation>
    </message>
</context>
<context>
    <name>Undo</name>
    <message>
        <source>a change</source>
        <translation>바꾼 것</translation>
    </message>
    <message>
        <source>next page</source>
        <translation>다음 쪽</translation>
    </message>
    <message>
        <source>previous page</source>
        <translation>이전 쪽</translation>
    </message>
    <message>
        <source>another lesson</source>
        <translation>다른 수업</translation>
    </message>
    <message>
        <source>another branch</source>
        <translation>다른 가지</translation>
    </message>
    <message>
        <source>branch dropped</source>
        <translation>가지 버리기</translation>
    </message>
    <message>
        <source>another place in the step</source>
        <translation>스텝 안의 다른 곳</translation>
    </message>
    <message>
        <source>to step %1</source>
        <translation>스텝 %1로</translation>
    </message>
    <message>
        <source>another level</source>
        <translation>다른 단위</translation>
    </message>
    <message>
        <source>another tensor chosen</source>
        <translation>다른 텐서 고르기</translation>
    </message>
    <message>
        <source>another example</source>
        <translation>다른 예</translation>
    </message>
    <message>
        <source>another rung to compare with</source>
        <translation>견줄 다른 단계</translation>
    </message>
    <message>
        <source>bookmark</source>
        <translation>책갈피</translation>
    </message>
    <message>
        <source>light or dark</source>
        <translation>밝게 또는 어둡게</translation>
    </message>
    <message>
        <source>language</source>
        <translation>언어</translation>
    </message>
    <message>
        <source>text size</source>
        <translation>글자 크기</translation>
    </message>
    <message>
        <source>high contrast</source>
        <translation>고대비</translation>
    </message>
    <message>
        <source>reduced motion</source>
        <translation>움직임 줄이기</translation>
    </message>
    <message>
        <source>ruler</source>
        <translation>눈금자</translation>
    </message>
    <message>
        <source>hidden tensor</source>
        <translation>가린 텐서</translation>
    </message>
    <message>
        <source>track</source>
        <translation>학습 경로</translation>
    </message>
    <message>
        <source>story</source>
        <translation>본문</translation>
    </message>
    <message>
        <source>another arrangement of views</source>
        <translation>뷰 배치</translation>
    </message>
    <message>
        <source>another kernel</source>
        <translation>다른 커널</translation>
    </message>
</context>
<context>
    <name>Unit</name>
    <message>
        <source>threads</source>
        <translation>개</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>개</translation>
    </message>
    <message>
        <source>examples</source>
        <translation>개</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>층</translation>
    </message>
    <message>
        <source>lines</source>
        <translation>개</translation>
    </message>
    <message>
        <source>nets</source>
        <translation>개</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>행</translation>
    </message>
</context>
<context>
    <name>Valley</name>
    <message>
        <source>Valley</source>
        <translation>골짜기</translation>
    </message>
    <message>
        <source>Bowl</source>
        <translation>그릇</translation>
    </message>
    <message>
        <source>Line through points</source>
        <translation>점에 맞춘 직선</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>slope %1</source>
        <translation>기울기 %1</translation>
    </message>
    <message>
        <source>slope</source>
        <translation>기울기</translation>
    </message>
    <message>
        <source>update</source>
        <translation>업데이트</translation>
    </message>
    <message>
        <source>the point</source>
        <translation>점</translation>
    </message>
    <message>
        <source>the line y = m·x + b</source>
        <translation>직선 y = m·x + b</translation>
    </message>
    <message>
        <source>point %1</source>
        <translation>%1번 점</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>%1 steps ahead</source>
        <translation>%1스텝 뒤</translation>
    </message>
    <message>
        <source>Drag it: a branch walks from where you leave it.</source>
        <translation>끌어 보세요. 놓은 자리에서 가지가 걷기 시작합니다.</translation>
    </message>
</context>
<context>
    <name>Why</name>
    <message>
        <source>the first of its %1 numbers that is not finite</source>
        <translation>숫자 %1개 중 처음으로 유한하지 않은 것</translation>
    </message>
    <message>
        <source>the largest of its %1 numbers</source>
        <translation>숫자 %1개 중 가장 큰 것</translation>
    </message>
    <message>
        <source>%1: ½ times %2 times its square, %3, %4 % of the magnitudes of all %5 terms</source>
        <translation>%1: ½ 곱하기 %2 곱하기 제곱, %3, 항 %5개의 절댓값 합의 %4 %</translation>
    </message>
    <message>
        <source>%1: ½ times %2 times its square, %3</source>
        <translation>%1: ½ 곱하기 %2 곱하기 제곱, %3</translation>
    </message>
    <message>
        <source>%1: times %2, %3, %4 % of the magnitudes of all %5 terms</source>
        <translation>%1: %2와의 곱, %3, 항 %5개의 크기를 더한 값의 %4 %</translation>
    </message>
    <message>
        <source>%1: times %2, %3</source>
        <translation>%1: %2와의 곱, %3</translation>
    </message>
    <message>
        <source>%1: made from it</source>
        <translation>%1: 이 값에서 나옴</translation>
    </message>
    <message>
        <source>%1: one of %2 parts</source>
        <translation>%1: 항 %2개 가운데 하나</translation>
    </message>
    <message>
        <source>%1: gave %2, %3 % of the magnitudes of both parts</source>
        <translation>%1: %2만큼 기여, 두 항의 크기를 더한 값의 %3 %</translation>
    </message>
    <message>
        <source>%1: gave %2, %3 % of the magnitudes of all %4 parts</source>
        <translation>%1: %2만큼 기여, 항 %4개의 크기를 더한 값의 %3 %</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>the same number, as the step before left it</source>
        <translation>앞 스텝이 남긴 그 수</translation>
    </message>
    <message>
        <source>the first loss that was not finite</source>
        <translation>처음으로 유한하지 않게 된 손실</translation>
    </message>
    <message>
        <source>made by %1</source>
        <translation>만든 연산: %1</translation>
    </message>
    <message>
        <source>%1 made it of finite numbers</source>
        <translation>유한한 수에서 %1 연산이 만듦</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>왜?</translation>
    </message>
    <message>
        <source>Why is %1 %2?</source>
        <translation>%1 값은 왜 %2인가요?</translation>
    </message>
    <message>
        <source>step %1 is computed again …</source>
        <translation>스텝 %1 다시 계산하는 중 …</translation>
    </message>
    <message>
        <source>It broke in step %1: %2 made %3 of finite numbers.</source>
        <translation>스텝 %1에서 깨졌습니다. %2 연산이 유한한 수에서 %3 값을 만들었습니다.</translation>
    </message>
    <message>
        <source>%1 is data: it was read, not computed.</source>
        <translation>%1 값은 데이터입니다. 계산하지 않고 읽었습니다.</translation>
    </message>
    <message>
        <source>%1 was set by hand before step %2.</source>
        <translation>%1 값은 스텝 %2 전에 손으로 바꾸었습니다.</translation>
    </message>
    <message>
        <source>Step %1 began with %2.</source>
        <translation>스텝 %1의 시작 값: %2.</translation>
    </message>
    <message>
        <source>What %1 was made from is not kept.</source>
        <translation>%1 값을 만든 수는 남아 있지 않습니다.</translation>
    </message>
    <message>
        <source>%1 has no rule to be walked back by.</source>
        <translation>%1 연산에는 거슬러 갈 규칙이 없습니다.</translation>
    </message>
</context>
<context>
    <name>gradus::ActivationView</name>
    <message>
        <source>%1, which this run uses</source>
        <translation>%1, 이 실행에서 쓰는 함수</translation>
    </message>
    <message>
        <source>step %1 is computed again, %2 %</source>
        <translation>스텝 %1 다시 계산 중, %2 %</translation>
    </message>
    <message>
        <source>%1 has no activation</source>
        <translation>%1: 활성화 없음</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>No layer of this run has an activation.</source>
        <translation>이 실행에는 활성화를 쓰는 층이 없습니다.</translation>
    </message>
</context>
<context>
    <name>gradus::CheckPanel</name>
    <message>
        <source>Predict</source>
        <translation>예측</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, not scored</source>
        <translation>%1, 채점 없음</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>내 답</translation>
    </message>
    <message>
        <source>The engine is computing the answer.</source>
        <translation>엔진이 답을 계산하고 있습니다.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>답하기</translation>
    </message>
    <message>
        <source>Question %1 →</source>
        <translation>질문 %1 →</translation>
    </message>
    <message>
        <source>← Question %1</source>
        <translation>← 질문 %1</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>다시</translation>
    </message>
    <message>
        <source>Question %1 is still to be answered right; then the lesson counts as done.</source>
        <translation>질문 %1만 맞히면 이 수업이 완료됩니다.</translation>
    </message>
    <message>
        <source>Questions %1 are still to be answered right; then the lesson counts as done.</source>
        <translation>질문 %1까지 맞히면 이 수업이 완료됩니다.</translation>
    </message>
    <message>
        <source>A guess shows what you expect; so it is not scored.</source>
        <translation>무엇을 예상하는지 보는 질문이라 채점하지 않습니다. 느낌대로 고르세요.</translation>
    </message>
    <message>
        <source>You chose: **%1**. Right: **%2**.</source>
        <translation>고른 답: **%1**. 정답: **%2**.</translation>
    </message>
    <message>
        <source>Not all of it is right. You chose: **%1**. Right: **%2**.</source>
        <translation>다 맞지는 않았습니다. 고른 답: **%1**. 정답: **%2**.</translation>
    </message>
    <message>
        <source>Drag the rows; or take one up with Space and move it with ↑ and ↓.</source>
        <translation>줄을 끌어 옮기세요. 키보드로는 Space로 집고 ↑ ↓로 옮깁니다.</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>작성</translation>
    </message>
    <message>
        <source>Write it</source>
        <translation>커널 쓰기</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>채점하기</translation>
    </message>
    <message>
        <source>The engine runs your kernel at every size.</source>
        <translation>엔진이 여러 크기에서 커널을 실행하고 있습니다.</translation>
    </message>
    <message>
        <source>Ctrl+Return in the editor tries it.</source>
        <translation>편집기에서 Ctrl+Return을 누르면 채점합니다.</translation>
    </message>
    <message>
        <source>See it on stage</source>
        <translation>무대에서 보기</translation>
    </message>
</context>
<context>
    <name>gradus::FoldsView</name>
    <message>
        <source>what is left</source>
        <translation>남는 것</translation>
    </message>
    <message>
        <source>Folds</source>
        <translation>접기</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>접기</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>펴기</translation>
    </message>
    <message>
        <source>step %1 is computed again, %2 %</source>
        <translation>스텝 %1 다시 계산 중, %2 %</translation>
    </message>
    <message>
        <source>on the inputs of step %1</source>
        <translation>스텝 %1의 입력에서</translation>
    </message>
    <message>
        <source>The tensors of this step are no longer kept.</source>
        <translation>이 스텝의 텐서는 더 이상 남아 있지 않습니다.</translation>
    </message>
    <message>
        <source>This run has no layers in a row that could be folded.</source>
        <translation>이 실행에는 접을 수 있게 이어진 층이 없습니다.</translation>
    </message>
    <message>
        <source>matrices left</source>
        <translation>남은 행렬</translation>
    </message>
    <message>
        <source>changes %1 of %2 numbers</source>
        <translation>숫자 %2개 가운데 %1개를 바꿈</translation>
    </message>
</context>
<context>
    <name>gradus::GradientFlowView</name>
    <message>
        <source>step %1 is computed again, %2 %</source>
        <translation>스텝 %1 다시 계산 중, %2 %</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>The tensors of this step are no longer kept.</source>
        <translation>이 스텝의 텐서는 더 이상 남아 있지 않습니다.</translation>
    </message>
    <message>
        <source>This run has no backward pass, so no gradient flows.</source>
        <translation>이 실행에는 역전파가 없어 그래디언트가 흐르지 않습니다.</translation>
    </message>
    <message>
        <source>%1 of %2 numbers</source>
        <translation>숫자 %2개 중 %1개</translation>
    </message>
    <message>
        <source>of a size from %1 to %2</source>
        <translation>크기가 %1에서 %2 사이</translation>
    </message>
    <message>
        <source>Click checks one of them.</source>
        <translation>클릭하면 그중 하나를 검사합니다.</translation>
    </message>
    <message>
        <source>norm of %1</source>
        <translation>%1의 노름</translation>
    </message>
    <message>
        <source>update of %1</source>
        <translation>%1의 업데이트</translation>
    </message>
    <message>
        <source>sizes of %1</source>
        <translation>%1의 원소별 크기</translation>
    </message>
    <message>
        <source>Finite difference at %1</source>
        <translation>%1의 유한 차분</translation>
    </message>
</context>
<context>
    <name>gradus::GraphWidget</name>
    <message>
        <source>Later in this step the change reaches %1, nothing else. =: the same bits as without it.</source>
        <translation>이 스텝에서 변경은 나중에 %1에만 미칩니다. =: 변경이 없을 때와 같은 비트.</translation>
    </message>
    <message>
        <source>Longest bar, %1: %2</source>
        <translation>가장 긴 막대, %1: %2</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>계산 그래프</translation>
    </message>
    <message>
        <source>step %1 is computed again, %2 %</source>
        <translation>스텝 %1 다시 계산 중, %2 %</translation>
    </message>
    <message>
        <source>values of step %1</source>
        <translation>스텝 %1의 값</translation>
    </message>
    <message>
        <source>times of step %1</source>
        <translation>스텝 %1의 시간</translation>
    </message>
    <message>
        <source>In a box: its shape and the norm of its numbers, or the number itself.</source>
        <translation>상자 안: 모양, 그리고 모든 숫자의 노름. 숫자가 하나뿐이면 그 값.</translation>
    </message>
    <message>
        <source>In a box: the norm of its numbers, or the number itself.</source>
        <translation>상자 안: 모든 숫자의 노름. 숫자가 하나뿐이면 그 값.</translation>
    </message>
    <message>
        <source>In a box: the norm of its numbers.</source>
        <translation>상자 안: 모든 숫자의 노름.</translation>
    </message>
    <message>
        <source>In a box: the FLOPs of its ops, counted.</source>
        <translation>상자 안: 연산에 든 FLOP 수, 집계.</translation>
    </message>
    <message>
        <source>No room here for what goes in.</source>
        <translation>여기에는 입력과 매개변수를 그릴 자리가 없습니다.</translation>
    </message>
    <message>
        <source>No room here for the forward pass.</source>
        <translation>여기에는 순전파를 그릴 자리가 없습니다.</translation>
    </message>
    <message>
        <source>No room here for the parameters' gradients.</source>
        <translation>여기에는 매개변수의 그래디언트를 그릴 자리가 없습니다.</translation>
    </message>
    <message>
        <source>No room here for the backward pass.</source>
        <translation>여기에는 역전파를 그릴 자리가 없습니다.</translation>
    </message>
    <message>
        <source>What is asked for is covered until it is answered.</source>
        <translation>묻고 있는 값은 답할 때까지 가려 둡니다.</translation>
    </message>
    <message>
        <source>This step's times have not been measured.</source>
        <translation>이 스텝의 시간은 측정되지 않았습니다.</translation>
    </message>
    <message>
        <source>Bars: floating-point operations, counted; the longest, %1: %2.</source>
        <translation>막대: 부동소수점 연산 수를 센 것. 가장 긴 막대, %1: %2.</translation>
    </message>
    <message>
        <source>Bars: bytes read and written, counted; the longest, %1: %2.</source>
        <translation>막대: 읽고 쓴 바이트를 센 것. 가장 긴 막대, %1: %2.</translation>
    </message>
    <message>
        <source>Bars: time in this step, measured; the longest, %1: %2.</source>
        <translation>막대: 이 스텝에서 측정한 시간. 가장 긴 막대, %1: %2.</translation>
    </message>
    <message>
        <source>Z enlarges.</source>
        <translation>Z로 크게 봅니다.</translation>
    </message>
    <message>
        <source>There is more: Z enlarges.</source>
        <translation>일부만 보입니다. Z를 누르면 커집니다.</translation>
    </message>
    <message>
        <source>Bold outline: the tensor you chose.</source>
        <translation>굵은 테두리: 고른 텐서.</translation>
    </message>
    <message>
        <source>%1, after the update</source>
        <translation>%1, 업데이트 후</translation>
    </message>
    <message>
        <source>%1, the same bits as without the change</source>
        <translation>%1, 변경이 없을 때와 같은 비트</translation>
    </message>
    <message>
        <source>Green: after the update.</source>
        <translation>초록: 업데이트 후의 값.</translation>
    </message>
    <message>
        <source>Bold: what the change reaches. =: the same bits as without it.</source>
        <translation>굵게: 변경이 미치는 곳. =: 변경이 없을 때와 같은 비트.</translation>
    </message>
    <message>
        <source>The change reaches only %1. =: the same bits as without it.</source>
        <translation>변경이 미치는 곳: %1뿐. =: 변경이 없을 때와 같은 비트.</translation>
    </message>
    <message>
        <source>=: as without the change</source>
        <translation>=: 변경이 없을 때와 같음</translation>
    </message>
    <message>
        <source>Bold: changed. =: as without the change.</source>
        <translation>굵게: 달라짐. =: 변경이 없을 때와 같음.</translation>
    </message>
</context>
<context>
    <name>gradus::HeaderBar</name>
    <message>
        <source>Change the learning rate from here on (E)</source>
        <translation>여기서부터 학습률 바꾸기 (E)</translation>
    </message>
    <message>
        <source>Learning rate η</source>
        <translation>학습률 η</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>메뉴</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>단축키</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>스레드 1개</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>스레드 %1개</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>시드 %1</translation>
    </message>
    <message>
        <source>instruction path %1</source>
        <translation>명령어 경로 %1</translation>
    </message>
    <message>
        <source>1 CPU thread</source>
        <translation>CPU 스레드 1개</translation>
    </message>
    <message>
        <source>%1 CPU threads</source>
        <translation>CPU 스레드 %1개</translation>
    </message>
</context>
<context>
    <name>gradus::KeysOverlay</name>
    <message>
        <source>PageUp</source>
        <translation>PageUp</translation>
    </message>
    <message>
        <source>PageDown</source>
        <translation>PageDown</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>단축키</translation>
    </message>
</context>
<context>
    <name>gradus::ListingView</name>
    <message>
        <source>Code</source>
        <translation>코드</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>no room here for %1</source>
        <translation>여기에는 %1을 보일 자리가 없습니다</translation>
    </message>
    <message>
        <source>step %1, computed again</source>
        <translation>스텝 %1, 다시 계산함</translation>
    </message>
    <message>
        <source>This lesson has no code beside it.</source>
        <translation>이 수업에는 곁들인 코드가 없습니다.</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>%1번째 줄: %2</translation>
    </message>
    <message>
        <source>line %1, where you stand: %2</source>
        <translation>%1번째 줄, 지금 있는 곳: %2</translation>
    </message>
    <message>
        <source>work of line %1</source>
        <translation>%1번째 줄의 계산량</translation>
    </message>
</context>
<context>
    <name>gradus::MainWindow</name>
    <message>
        <source>The fan of futures is drawn among curves, and none is in sight: “Loss” in the menu has them.</source>
        <translation>미래 펼치기는 곡선 위에 그려지는데 지금 보이는 곡선이 없습니다. 메뉴의 “손실”을 고르면 보입니다.</translation>
    </message>
    <message>
        <source>Next lesson of the track</source>
        <translation>학습 경로의 다음 수업</translation>
    </message>
    <message>
        <source>Previous lesson</source>
        <translation>이전 수업</translation>
    </message>
    <message>
        <source>Into the track: ↑ ↓, Enter; again: fold</source>
        <translation>학습 경로로(↑ ↓, Enter), 다시 누르면 접기</translation>
    </message>
    <message>
        <source>No lesson lies that way on this track.</source>
        <translation>이 학습 경로에서 그쪽에는 수업이 없습니다.</translation>
    </message>
    <message>
        <source>A new run: Ctrl+Z brings the old curve back.</source>
        <translation>새 실행입니다. Ctrl+Z를 누르면 예전 곡선이 돌아옵니다.</translation>
    </message>
    <message>
        <source>A new run: Ctrl+Z brings the old curve and its fork back.</source>
        <translation>새 실행입니다. Ctrl+Z를 누르면 예전 곡선과 가지가 돌아옵니다.</translation>
    </message>
    <message>
        <source>A new run: Ctrl+Z brings the old curve and its %1 forks back.</source>
        <translation>새 실행입니다. Ctrl+Z를 누르면 예전 곡선과 가지 %1개가 돌아옵니다.</translation>
    </message>
    <message>
        <source>Hide the chosen tensor, or show it</source>
        <translation>고른 텐서를 가리거나 보이기</translation>
    </message>
    <message>
        <source>Hide the chosen tensor (H)</source>
        <translation>고른 텐서 가리기 (H)</translation>
    </message>
    <message>
        <source>Choose a tensor first: then H hides it.</source>
        <translation>먼저 텐서를 고르세요. 그러면 H로 가릴 수 있습니다.</translation>
    </message>
    <message>
        <source>Drop this branch</source>
        <translation>이 가지 버리기</translation>
    </message>
    <message>
        <source>Stop …</source>
        <translation>멈추기 …</translation>
    </message>
    <message>
        <source>Stop at … (breakpoints)</source>
        <translation>멈출 곳 정하기(중단점)</translation>
    </message>
    <message>
        <source>before a step …</source>
        <translation>어떤 스텝 앞에서 …</translation>
    </message>
    <message>
        <source>Stop before step</source>
        <translation>멈출 스텝</translation>
    </message>
    <message>
        <source>A step from %1 to %2 is wanted: the others are computed.</source>
        <translation>%1부터 %2까지의 스텝을 입력하세요. 나머지는 이미 계산했습니다.</translation>
    </message>
    <message>
        <source>where the gradient's norm is above …</source>
        <translation>그래디언트의 노름이 어떤 값을 넘을 때 …</translation>
    </message>
    <message>
        <source>Stop where the norm is above</source>
        <translation>노름이 이 값을 넘으면 멈춤</translation>
    </message>
    <message>
        <source>A number above 0 is wanted, such as 10.</source>
        <translation>10처럼 0보다 큰 숫자를 입력하세요.</translation>
    </message>
    <message>
        <source>A number is wanted, such as 0.25.</source>
        <translation>0.25 같은 숫자를 입력하세요.</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>There are no lessons to open.</source>
        <translation>열 수 있는 수업이 없습니다.</translation>
    </message>
    <message>
        <source>loading …</source>
        <translation>불러오는 중 …</translation>
    </message>
    <message>
        <source>loading %1 …</source>
        <translation>%1 불러오는 중 …</translation>
    </message>
    <message>
        <source>loading %1: %2 steps of lanes so far</source>
        <translation>%1 불러오는 중: 지금까지 레인 스텝 %2개</translation>
    </message>
    <message>
        <source>loading %1: %2 of %3 blocks are run</source>
        <translation>%1 불러오는 중: 블록 %3개 중 %2개 실행됨</translation>
    </message>
    <message>
        <source>No lesson</source>
        <translation>수업 없음</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>이동</translation>
    </message>
    <message>
        <source>Level and branch</source>
        <translation>단위와 가지</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>보기</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>편집</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>일반</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>재생 또는 일시 정지</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>한 단계 앞으로</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>한 단계 뒤로</translation>
    </message>
    <message>
        <source>Prepared step</source>
        <translation>준비된 스텝</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>첫 스텝</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>마지막 스텝</translation>
    </message>
    <message>
        <source>Slower</source>
        <translation>더 느리게</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>더 빠르게</translation>
    </message>
    <message>
        <source>Bookmark this step</source>
        <translation>이 스텝에 책갈피</translation>
    </message>
    <message>
        <source>Next bookmark</source>
        <translation>다음 책갈피</translation>
    </message>
    <message>
        <source>Previous bookmark</source>
        <translation>이전 책갈피</translation>
    </message>
    <message>
        <source>Into: phase, layer, op</source>
        <translation>안으로: 단계, 층, 연산</translation>
    </message>
    <message>
        <source>Out of it</source>
        <translation>밖으로</translation>
    </message>
    <message>
        <source>Previous branch</source>
        <translation>이전 가지</translation>
    </message>
    <message>
        <source>Next branch</source>
        <translation>다음 가지</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>실행 취소</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>다시 실행</translation>
    </message>
    <message>
        <source>Next part of the lesson</source>
        <translation>수업의 다음 부분</translation>
    </message>
    <message>
        <source>Previous part</source>
        <translation>이전 부분</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>밝은 화면 또는 어두운 화면</translation>
    </message>
    <message>
        <source>English or Korean</source>
        <translation>영어 또는 한국어</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>학습 경로</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>본문</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>단축키</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>메뉴</translation>
    </message>
    <message>
        <source>Leave a field</source>
        <translation>입력란에서 나오기</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>끝내기</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>어두운 화면</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>고대비</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>움직임 줄이기</translation>
    </message>
    <message>
        <source>Fan of futures: hold, choose, let go</source>
        <translation>미래 펼치기: 누른 채 고르고 놓기</translation>
    </message>
    <message>
        <source>Ruler: none, FLOPs, bytes, time</source>
        <translation>눈금자: 없음, FLOP, 바이트, 시간</translation>
    </message>
    <message>
        <source>Why this number?</source>
        <translation>이 수는 왜 나왔나?</translation>
    </message>
    <message>
        <source>Fan of futures</source>
        <translation>미래 펼치기</translation>
    </message>
    <message>
        <source>Ruler</source>
        <translation>눈금자</translation>
    </message>
    <message>
        <source>None</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOP 수</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>바이트</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>시간</translation>
    </message>
    <message>
        <source>In class</source>
        <translation>수업 화면</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>글자 크게</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>글자 작게</translation>
    </message>
    <message>
        <source>Text as it was</source>
        <translation>글자 크기 원래대로</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>글자 크기</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>In class (F5)</source>
        <translation>수업 화면 (F5)</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>내보내기 …</translation>
    </message>
    <message>
        <source>Save the run as …</source>
        <translation>실행을 다른 이름으로 저장 …</translation>
    </message>
    <message>
        <source>Record, or stop recording</source>
        <translation>기록 시작 또는 중지</translation>
    </message>
    <message>
        <source>Go on where the last run ended</source>
        <translation>지난 실행을 이어서 하기</translation>
    </message>
    <message>
        <source>Start anew</source>
        <translation>새로 시작</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>기록</translation>
    </message>
    <message>
        <source>In a view (Enter chooses, Ctrl+Enter opens)</source>
        <translation>뷰 안에서 (Enter로 선택, Ctrl+Enter로 펼침)</translation>
    </message>
    <message>
        <source>Item to the right</source>
        <translation>오른쪽 항목</translation>
    </message>
    <message>
        <source>Item to the left</source>
        <translation>왼쪽 항목</translation>
    </message>
    <message>
        <source>Item above</source>
        <translation>위쪽 항목</translation>
    </message>
    <message>
        <source>Pictures or matrix</source>
        <translation>그림 또는 행렬</translation>
    </message>
    <message>
        <source>Item below</source>
        <translation>아래쪽 항목</translation>
    </message>
    <message>
        <source>Answer a question</source>
        <translation>질문에 답하기</translation>
    </message>
    <message>
        <source>One view alone, or all</source>
        <translation>뷰 하나만, 또는 모두</translation>
    </message>
    <message>
        <source>One view alone (Z)</source>
        <translation>뷰 하나만 (Z)</translation>
    </message>
    <message>
        <source>Ctrl+Z takes the last change back.</source>
        <translation>Ctrl+Z를 누르면 마지막 변경이 되돌아갑니다.</translation>
    </message>
    <message>
        <source>There is room for three views: this one gave way: %1</source>
        <translation>뷰는 세 개까지 놓을 수 있어서 다음 뷰를 내렸습니다: %1</translation>
    </message>
    <message>
        <source>Run what is written</source>
        <translation>쓴 것을 실행</translation>
    </message>
    <message>
        <source>Write in it</source>
        <translation>고쳐 쓰기</translation>
    </message>
    <message>
        <source>This window has no room for larger text.</source>
        <translation>이 창에는 글자를 더 키울 자리가 없습니다.</translation>
    </message>
    <message>
        <source>There is no kernel in sight to write in.</source>
        <translation>보이는 커널 가운데 고쳐 쓸 수 있는 것이 없습니다.</translation>
    </message>
    <message>
        <source>The kernel's own text again</source>
        <translation>커널의 원래 글로</translation>
    </message>
    <message>
        <source>Close; what is written stays</source>
        <translation>닫기(쓴 것은 남습니다)</translation>
    </message>
    <message>
        <source>In a kernel</source>
        <translation>커널에서</translation>
    </message>
    <message>
        <source>Spotlight; Shift and arrows, + and − for it</source>
        <translation>스포트라이트 (Shift+화살표로 이동, + −로 크기)</translation>
    </message>
    <message>
        <source>Screen dark, or there again</source>
        <translation>화면 끄기, 다시 켜기</translation>
    </message>
    <message>
        <source>The engine answers</source>
        <translation>엔진이 답하기</translation>
    </message>
    <message>
        <source>Vote closed, or open again</source>
        <translation>투표 마감, 다시 열기</translation>
    </message>
    <message>
        <source>What was found or is said next</source>
        <translation>다음으로 발견되거나 지적된 곳</translation>
    </message>
    <message>
        <source>That block was not recorded: of a kernel in a step of training one is. What was found stands at its lines.</source>
        <translation>그 블록은 기록되지 않았습니다. 학습 스텝의 커널에서는 블록 하나만 기록합니다. 찾아낸 것은 해당 줄에 표시되어 있습니다.</translation>
    </message>
</context>
<context>
    <name>gradus::NeuronView</name>
    <message>
        <source>Neuron</source>
        <translation>뉴런</translation>
    </message>
    <message>
        <source>Neuron %1</source>
        <translation>뉴런 %1</translation>
    </message>
    <message>
        <source>A neuron's weights are drawn where a run reads images; this one reads none.</source>
        <translation>뉴런의 가중치는 사진을 읽는 실행에서 그림으로 보입니다. 이 실행은 사진을 읽지 않습니다.</translation>
    </message>
    <message>
        <source>step %1 is computed again, %2 %</source>
        <translation>스텝 %1 다시 계산 중, %2 %</translation>
    </message>
    <message>
        <source>parameters of step %1</source>
        <translation>스텝 %1의 매개변수</translation>
    </message>
    <message>
        <source>weights of neuron %1</source>
        <translation>뉴런 %1의 가중치</translation>
    </message>
    <message>
        <source>from −%1 to %1</source>
        <translation>−%1부터 %1까지</translation>
    </message>
    <message>
        <source>strongest image %1</source>
        <translation>가장 강하게 답하는 사진 %1</translation>
    </message>
    <message>
        <source>what all neurons say</source>
        <translation>모든 뉴런의 답</translation>
    </message>
</context>
<context>
    <name>gradus::OrderList</name>
    <message>
        <source>Order: %1</source>
        <translation>순서: %1</translation>
    </message>
</context>
<context>
    <name>gradus::PathsPanel</name>
    <message>
        <source>done</source>
        <translation>완료</translation>
    </message>
    <message>
        <source>you are here</source>
        <translation>지금 여기</translation>
    </message>
    <message>
        <source>open</source>
        <translation>열림</translation>
    </message>
    <message>
        <source>later</source>
        <translation>나중에</translation>
    </message>
    <message>
        <source>not yet written</source>
        <translation>준비 중</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>학습 경로</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>%2개 중 %1개 완료</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>선택</translation>
    </message>
    <message>
        <source>%1, next track</source>
        <translation>%1, 다음 학습 경로로</translation>
    </message>
    <message>
        <source>Other tracks</source>
        <translation>다른 학습 경로</translation>
    </message>
</context>
<context>
    <name>gradus::PlotView</name>
    <message>
        <source>(computed later in this step)</source>
        <translation>(이 스텝에서 나중에 계산)</translation>
    </message>
    <message>
        <source>step</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>point or ← →, let go to take, Esc: cancel</source>
        <translation>가리키거나 ← →, 놓으면 선택, Esc 취소</translation>
    </message>
    <message>
        <source>now %1, %2 steps, mean of %3</source>
        <translation>지금 %1, %2스텝 뒤까지, %3스텝 평균</translation>
    </message>
    <message>
        <source>now %1, %2 steps ahead</source>
        <translation>지금 %1, %2스텝 뒤까지</translation>
    </message>
    <message>
        <source>line: batch, ◇: test set</source>
        <translation>선: 배치, ◇: 테스트 세트</translation>
    </message>
    <message>
        <source>pale: batch, ◇: test set</source>
        <translation>옅은 색: 배치, ◇: 테스트 세트</translation>
    </message>
    <message>
        <source>◇: test set</source>
        <translation>◇: 테스트 세트</translation>
    </message>
    <message>
        <source>pale: batch, line: mean of %1, ◇: test set</source>
        <translation>옅은 선: 배치, 선: 배치 %1개 평균, ◇: 테스트 세트</translation>
    </message>
    <message>
        <source>pale: each step, line: mean of %1</source>
        <translation>옅은 선: 각 스텝, 선: %1스텝 평균</translation>
    </message>
    <message>
        <source>line: batch, mean of %1, ◇: test set</source>
        <translation>선: 배치 %1개 평균, ◇: 테스트 세트</translation>
    </message>
    <message>
        <source>line: mean of %1 steps</source>
        <translation>선: %1스텝 평균</translation>
    </message>
</context>
<context>
    <name>gradus::Presenter</name>
    <message>
        <source>Undone: %1</source>
        <translation>실행 취소: %1</translation>
    </message>
    <message>
        <source>Redone: %1</source>
        <translation>다시 실행: %1</translation>
    </message>
    <message>
        <source>The first run stays; what can be dropped is a branch.</source>
        <translation>첫 실행은 버릴 수 없습니다. 버릴 수 있는 것은 가지입니다.</translation>
    </message>
    <message>
        <source>The last step is computed: nothing lies ahead of it.</source>
        <translation>마지막 스텝까지 계산해서 앞에 남은 스텝이 없습니다.</translation>
    </message>
    <message>
        <source>That was the last step. Ctrl+Home goes to the first; a changed parameter begins a new run.</source>
        <translation>마지막 스텝입니다. Ctrl+Home을 누르면 첫 스텝으로 가고, 매개변수를 바꾸면 새로 실행합니다.</translation>
    </message>
    <message>
        <source>This experiment has no learning rate.</source>
        <translation>이 실험에는 학습률이 없습니다.</translation>
    </message>
    <message>
        <source>That was the last one. Up goes to what it is a part of.</source>
        <translation>마지막입니다. ↑ 키로 이것이 속한 단계로 올라갑니다.</translation>
    </message>
    <message>
        <source>There is nothing below.</source>
        <translation>더 아래 단계가 없습니다.</translation>
    </message>
</context>
<context>
    <name>gradus::RegionsView</name>
    <message>
        <source>%1 steps ahead</source>
        <translation>%1스텝 뒤</translation>
    </message>
    <message>
        <source>step %1 is computed again, %2 %</source>
        <translation>스텝 %1 다시 계산 중, %2 %</translation>
    </message>
    <message>
        <source>parameters of step %1</source>
        <translation>스텝 %1의 매개변수</translation>
    </message>
    <message>
        <source>Regions are drawn for points in the plane; this net reads %1 numbers.</source>
        <translation>결정 영역은 평면 위의 점에만 그릴 수 있습니다. 이 신경망의 입력은 숫자 %1개입니다.</translation>
    </message>
    <message>
        <source>point %1 here</source>
        <translation>%1번 점을 여기로</translation>
    </message>
    <message>
        <source>Esc puts it back</source>
        <translation>Esc를 누르면 제자리로</translation>
    </message>
    <message>
        <source>Decision regions</source>
        <translation>결정 영역</translation>
    </message>
    <message>
        <source>%1 of %2 on a wrong side</source>
        <translation>%2개 중 %1개가 틀린 쪽</translation>
    </message>
    <message>
        <source>point %1</source>
        <translation>%1번 점</translation>
    </message>
    <message>
        <source>the net says class %1</source>
        <translation>신경망의 답: 클래스 %1</translation>
    </message>
</context>
<context>
    <name>gradus::RunList</name>
    <message>
        <source>%1 at step %2</source>
        <translation>스텝 %2의 %1</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>실행 목록</translation>
    </message>
    <message>
        <source>Runs, %1 of %2</source>
        <translation>실행 %2개 중 %1개</translation>
    </message>
</context>
<context>
    <name>gradus::RunStrips</name>
    <message>
        <source>run, log</source>
        <translation>실행, 로그</translation>
    </message>
    <message>
        <source>whole run</source>
        <translation>전체 실행</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>Whole run and steps</source>
        <translation>전체 실행과 스텝</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>바이트</translation>
    </message>
    <message>
        <source>time</source>
        <translation>시간</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%2스텝 중 %1스텝</translation>
    </message>
    <message>
        <source>prepared step</source>
        <translation>준비된 스텝</translation>
    </message>
    <message>
        <source>bookmark</source>
        <translation>책갈피</translation>
    </message>
    <message>
        <source>breakpoint</source>
        <translation>중단점</translation>
    </message>
    <message>
        <source>shown steps</source>
        <translation>보이는 스텝</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1~%2</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>스텝 %1, %2</translation>
    </message>
    <message>
        <source>fork %1: %2</source>
        <translation>가지 %1: %2</translation>
    </message>
    <message>
        <source>step %1, prepared</source>
        <translation>스텝 %1, 준비됨</translation>
    </message>
    <message>
        <source>bookmark at step %1</source>
        <translation>스텝 %1의 책갈피</translation>
    </message>
    <message>
        <source>breakpoint at step %1</source>
        <translation>스텝 %1의 중단점</translation>
    </message>
    <message>
        <source>step %1: %2 %3</source>
        <translation>스텝 %1: %2 %3</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>%1: not yet run</source>
        <translation>%1: 아직 실행 전</translation>
    </message>
    <message>
        <source>%1: %2, measured</source>
        <translation>%1: %2, 측정</translation>
    </message>
    <message>
        <source>%1: not observed; drawn as wide as its median share of %2 observed steps</source>
        <translation>%1: 관찰하지 않음. 관찰한 스텝 %2개에서 차지한 비율의 중앙값으로 그림</translation>
    </message>
    <message>
        <source>%1: %2, counted</source>
        <translation>%1: %2, 집계</translation>
    </message>
    <message>
        <source>%1: not measured</source>
        <translation>%1: 측정하지 않음</translation>
    </message>
</context>
<context>
    <name>gradus::Stage</name>
    <message>
        <source>There is no kernel in sight.</source>
        <translation>보이는 커널이 없습니다.</translation>
    </message>
    <message>
        <source>Memory hierarchy</source>
        <translation>메모리 계층</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>루프라인</translation>
    </message>
    <message>
        <source>Kernel comparison</source>
        <translation>커널 비교</translation>
    </message>
    <message>
        <source>Code listing</source>
        <translation>코드</translation>
    </message>
    <message>
        <source>Attention tiles</source>
        <translation>어텐션 타일</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>계산 그래프</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>텐서</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>정확도</translation>
    </message>
    <message>
        <source>Gradient flow</source>
        <translation>그래디언트 흐름</translation>
    </message>
    <message>
        <source>Decision regions</source>
        <translation>결정 영역</translation>
    </message>
    <message>
        <source>Folds</source>
        <translation>접기</translation>
    </message>
    <message>
        <source>Probabilities</source>
        <translation>확률</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>활성화</translation>
    </message>
    <message>
        <source>Neuron</source>
        <translation>뉴런</translation>
    </message>
    <message>
        <source>Valley</source>
        <translation>골짜기</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>타임라인</translation>
    </message>
    <message>
        <source>All views</source>
        <translation>모든 뷰</translation>
    </message>
    <message>
        <source>Kernel theatre</source>
        <translation>커널 극장</translation>
    </message>
</context>
<context>
    <name>gradus::StoryButton</name>
    <message>
        <source>right</source>
        <translation>정답</translation>
    </message>
    <message>
        <source>your choice</source>
        <translation>내 선택</translation>
    </message>
</context>
<context>
    <name>gradus::StoryPage</name>
    <message>
        <source>A question comes at the end. It is a guess: make it now, then read on.</source>
        <translation>마지막에 질문이 하나 있습니다. 느낌으로 답하는 질문이니 지금 답해 보고 나서 읽어 보세요.</translation>
    </message>
    <message>
        <source>%1 questions come at the end. The first is a guess: make it now, then read on.</source>
        <translation>마지막에 질문이 %1개 있습니다. 첫 질문은 느낌으로 답하면 됩니다. 지금 답해 보고 나서 읽어 보세요.</translation>
    </message>
    <message>
        <source>Guess now →</source>
        <translation>지금 답해 보기 →</translation>
    </message>
    <message>
        <source>title</source>
        <translation>제목</translation>
    </message>
    <message>
        <source>question</source>
        <translation>질문</translation>
    </message>
    <message>
        <source>part %1</source>
        <translation>부분 %1</translation>
    </message>
    <message>
        <source>check %1</source>
        <translation>예측 %1</translation>
    </message>
</context>
<context>
    <name>gradus::StoryView</name>
    <message>
        <source>← Page 1</source>
        <translation>← 1쪽</translation>
    </message>
    <message>
        <source>First part</source>
        <translation>첫 부분</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>본문</translation>
    </message>
    <message>
        <source>Next →</source>
        <translation>다음 →</translation>
    </message>
    <message>
        <source>Next part</source>
        <translation>다음 부분</translation>
    </message>
    <message>
        <source>Previous part</source>
        <translation>이전 부분</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Next lesson →</source>
        <translation>다음 수업 →</translation>
    </message>
    <message>
        <source>Next lesson: %1</source>
        <translation>다음 수업: %1</translation>
    </message>
    <message>
        <source>Question ↓</source>
        <translation>질문 ↓</translation>
    </message>
    <message>
        <source>To the question</source>
        <translation>질문으로</translation>
    </message>
</context>
<context>
    <name>gradus::TensorView</name>
    <message>
        <source>axis %1</source>
        <translation>%1 축</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1에서 %2까지</translation>
    </message>
    <message>
        <source>level line of %1</source>
        <translation>%1의 등고선</translation>
    </message>
    <message>
        <source>framed part of %1</source>
        <translation>%1 가운데 틀 안의 부분</translation>
    </message>
    <message>
        <source>rows %1 to %2, columns %3 to %4</source>
        <translation>%1~%2행, %3~%4열</translation>
    </message>
    <message>
        <source>%1, picture %2</source>
        <translation>%1, 그림 %2</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>클래스 %1</translation>
    </message>
    <message>
        <source>upper end of the colours</source>
        <translation>색의 위쪽 끝</translation>
    </message>
    <message>
        <source>lower end of the colours</source>
        <translation>색의 아래쪽 끝</translation>
    </message>
    <message>
        <source>histogram of %1</source>
        <translation>%1의 히스토그램</translation>
    </message>
    <message>
        <source>show as a matrix</source>
        <translation>행렬로 보기</translation>
    </message>
    <message>
        <source>show as pictures</source>
        <translation>그림으로 보기</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>텐서</translation>
    </message>
    <message>
        <source>Tensor %1</source>
        <translation>텐서 %1</translation>
    </message>
    <message>
        <source>Step %1 has no tensor named %2.</source>
        <translation>스텝 %1에는 %2 텐서가 없습니다.</translation>
    </message>
    <message>
        <source>Of %1 at step %2 only the hash is kept.</source>
        <translation>스텝 %2의 %1: 해시만 남아 있습니다.</translation>
    </message>
    <message>
        <source>%1 has no numbers in it.</source>
        <translation>%1: 들어 있는 숫자가 없습니다.</translation>
    </message>
    <message>
        <source>step %1 is computed again, %2 %</source>
        <translation>스텝 %1 다시 계산 중, %2 %</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, 스텝 %2</translation>
    </message>
    <message>
        <source>%1, later in step %2</source>
        <translation>%1, 스텝 %2에서 나중에 생김</translation>
    </message>
    <message>
        <source>numbers of %1</source>
        <translation>%1의 숫자들</translation>
    </message>
    <message>
        <source>not written</source>
        <translation>기록되지 않음</translation>
    </message>
</context>
<context>
    <name>gradus::TimelineView</name>
    <message>
        <source>%1 events</source>
        <translation>이벤트 %1개</translation>
    </message>
    <message>
        <source>No step has been observed yet.</source>
        <translation>아직 관찰한 스텝이 없습니다.</translation>
    </message>
    <message>
        <source>Step %1 is being computed again, %2 %</source>
        <translation>스텝 %1 다시 계산 중, %2 %</translation>
    </message>
    <message>
        <source>The events of step %1 are no longer there.</source>
        <translation>스텝 %1의 이벤트는 더 이상 남아 있지 않습니다.</translation>
    </message>
    <message>
        <source>%1 observed steps, %2 in all</source>
        <translation>관찰한 스텝 %1개, 모두 %2</translation>
    </message>
    <message>
        <source>step %1 computed again: the re-computation took %2</source>
        <translation>스텝 %1 다시 계산함, 재계산에 걸린 시간 %2</translation>
    </message>
    <message>
        <source>step %1, computed again in %2</source>
        <translation>스텝 %1, %2 동안 다시 계산함</translation>
    </message>
    <message>
        <source>step %1 took %2, the evaluation after it %3</source>
        <translation>스텝 %1에 걸린 시간 %2, 이어진 평가 %3</translation>
    </message>
    <message>
        <source>step %1 took %2, the median step %3</source>
        <translation>스텝 %1에 걸린 시간 %2, 스텝의 중앙값 %3</translation>
    </message>
    <message>
        <source>step %1 took %2, unusual: the median step %3</source>
        <translation>스텝 %1: %2, 평소와 다름(중앙값 %3)</translation>
    </message>
    <message>
        <source>%2, unusual: median %3</source>
        <translation>%2, 평소와 다름(중앙값 %3)</translation>
    </message>
    <message>
        <source>step %1 took %2</source>
        <translation>스텝 %1에 걸린 시간 %2</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>타임라인</translation>
    </message>
    <message>
        <source>this step</source>
        <translation>이 스텝</translation>
    </message>
    <message>
        <source>all observed steps</source>
        <translation>관찰한 모든 스텝</translation>
    </message>
</context>
<context>
    <name>gradus::TransportBar</name>
    <message>
        <source>level</source>
        <translation>단위</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>속도</translation>
    </message>
    <message>
        <source>Steps are counted from 0.</source>
        <translation>스텝은 0부터 셉니다.</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/초</translation>
    </message>
    <message>
        <source>max</source>
        <translation>최대</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>스텝 %1 / %2</translation>
    </message>
    <message>
        <source>one step</source>
        <translation>스텝 하나</translation>
    </message>
    <message>
        <source>step %1, the last</source>
        <translation>마지막 스텝 %1</translation>
    </message>
</context>
<context>
    <name>gradus::TransportButton</name>
    <message>
        <source>Level in</source>
        <translation>안으로</translation>
    </message>
    <message>
        <source>Level out</source>
        <translation>밖으로</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>첫 스텝</translation>
    </message>
    <message>
        <source>Ctrl+Home</source>
        <translation>Ctrl+Home</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>한 단계 뒤로</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>재생</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Space</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>일시 정지</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>한 단계 앞으로</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>마지막 스텝</translation>
    </message>
    <message>
        <source>Slower</source>
        <translation>더 느리게</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>더 빠르게</translation>
    </message>
</context>
<context>
    <name>gradus::Cover</name>
    <message>
        <source>hidden until the prediction is made</source>
        <translation>예측할 때까지 가려 둠</translation>
    </message>
</context>
<context>
    <name>gradus::PresenterStage</name>
    <message>
        <source>In class</source>
        <translation>수업 화면</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>엔진</translation>
    </message>
    <message>
        <source>%1 of %2 have voted</source>
        <translation>%2명 중 %1명 손듦</translation>
    </message>
    <message>
        <source>Votes: %1</source>
        <translation>손든 사람: %1</translation>
    </message>
    <message>
        <source>vote closed</source>
        <translation>투표 마감</translation>
    </message>
    <message>
        <source>next</source>
        <translation>다음</translation>
    </message>
    <message>
        <source>the engine computes …</source>
        <translation>엔진이 계산하는 중 …</translation>
    </message>
    <message>
        <source>reveal</source>
        <translation>답 공개</translation>
    </message>
</context>
<context>
    <name>gradus::VotePanel</name>
    <message>
        <source>Choices</source>
        <translation>선택지</translation>
    </message>
    <message>
        <source>%1: %2, votes: %3</source>
        <translation>%1: %2, 손든 사람 %3</translation>
    </message>
    <message>
        <source>%1 by the engine</source>
        <translation>엔진 %1</translation>
    </message>
</context>
<context>
    <name>gradus::ExportPanel</name>
    <message>
        <source>Export</source>
        <translation>내보내기</translation>
    </message>
    <message>
        <source>What</source>
        <translation>대상</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>형식</translation>
    </message>
    <message>
        <source>File</source>
        <translation>파일</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>첫 스텝</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>마지막 스텝</translation>
    </message>
    <message>
        <source>to</source>
        <translation>~</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>PNG, a picture in pixels</source>
        <translation>PNG, 픽셀 그림</translation>
    </message>
    <message>
        <source>SVG, a drawing that scales</source>
        <translation>SVG, 확대해도 선명한 그림</translation>
    </message>
    <message>
        <source>PDF, one page</source>
        <translation>PDF, 한 쪽</translation>
    </message>
    <message>
        <source>Trace for Perfetto (.json.gz)</source>
        <translation>Perfetto용 트레이스 (.json.gz)</translation>
    </message>
    <message>
        <source>NumPy arrays (.npz)</source>
        <translation>NumPy 배열 (.npz)</translation>
    </message>
    <message>
        <source>Table, a row per step (.csv)</source>
        <translation>표, 스텝마다 한 행 (.csv)</translation>
    </message>
    <message>
        <source>Recording with every branch (.gradus)</source>
        <translation>모든 가지를 담은 기록 (.gradus)</translation>
    </message>
    <message>
        <source>The step that is shown now.</source>
        <translation>지금 보이는 스텝입니다.</translation>
    </message>
    <message>
        <source>A recording always holds the whole run.</source>
        <translation>기록 파일에는 언제나 실행 전체가 담깁니다.</translation>
    </message>
    <message>
        <source>The run has steps %1 to %2.</source>
        <translation>이 실행에는 스텝 %1부터 %2까지 있습니다.</translation>
    </message>
    <message>
        <source>Bookmarks are marked in it.</source>
        <translation>책갈피도 표시됩니다.</translation>
    </message>
    <message>
        <source>Steps are whole numbers from %1 to %2.</source>
        <translation>스텝은 %1부터 %2까지의 정수입니다.</translation>
    </message>
    <message>
        <source>The file needs a name.</source>
        <translation>파일 이름이 필요합니다.</translation>
    </message>
    <message>
        <source>%1 is no longer on stage.</source>
        <translation>이 보기는 이제 화면에 없습니다: %1</translation>
    </message>
    <message>
        <source>%1 is there already.</source>
        <translation>%1 파일이 이미 있습니다.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>바꾸기</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>중지</translation>
    </message>
    <message>
        <source>Writing …</source>
        <translation>쓰는 중 …</translation>
    </message>
    <message>
        <source>Writing … %1 %</source>
        <translation>쓰는 중 … %1 %</translation>
    </message>
    <message>
        <source>Stopped; nothing was written.</source>
        <translation>중지했습니다. 아무것도 쓰지 않았습니다.</translation>
    </message>
    <message>
        <source>Written to %1 (%2).</source>
        <translation>저장한 곳: %1 (%2)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>gradus::WindowFiles</name>
    <message>
        <source>%1: you were at step %2.</source>
        <translation>%1: 스텝 %2에 있었습니다.</translation>
    </message>
    <message>
        <source>%1: you were at step %2, with a fork.</source>
        <translation>%1: 스텝 %2에 있었고, 가지가 하나 있습니다.</translation>
    </message>
    <message>
        <source>%1: you were at step %2, with %3 forks.</source>
        <translation>%1: 스텝 %2에 있었고, 가지가 %3개 있습니다.</translation>
    </message>
    <message>
        <source>%1: you were at step %2 of the fork %3.</source>
        <translation>%1: 가지 %3의 스텝 %2에 있었습니다.</translation>
    </message>
    <message>
        <source>%1: you were at step %2 of the fork %3, one of %4.</source>
        <translation>%1: 가지 %4개 가운데 %3의 스텝 %2에 있었습니다.</translation>
    </message>
    <message>
        <source>The whole window</source>
        <translation>창 전체</translation>
    </message>
    <message>
        <source>The run</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>The branch %1</source>
        <translation>가지 %1</translation>
    </message>
    <message>
        <source>Nothing more is recorded: %1</source>
        <translation>더 기록하지 않습니다: %1</translation>
    </message>
    <message>
        <source>The last run cannot be read: %1</source>
        <translation>지난 실행을 읽을 수 없습니다: %1</translation>
    </message>
    <message>
        <source>Go on at step %1</source>
        <translation>스텝 %1에서 이어 하기</translation>
    </message>
    <message>
        <source>Start anew</source>
        <translation>새로 시작</translation>
    </message>
    <message>
        <source>Computing again what was recorded …</source>
        <translation>기록된 실행을 다시 계산하는 중 …</translation>
    </message>
    <message>
        <source>Answers are not kept: %1</source>
        <translation>답이 저장되지 않습니다: %1</translation>
    </message>
</context>
<context>
    <name>Access</name>
    <message>
        <source>data</source>
        <translation>데이터</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>활성값</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>그래디언트</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>매개변수</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>옵티마이저</translation>
    </message>
</context>
<context>
    <name>Theatre</name>
    <message>
        <source>race</source>
        <translation>경쟁 상태</translation>
    </message>
    <message>
        <source>out of bounds</source>
        <translation>범위 밖 접근</translation>
    </message>
    <message>
        <source>misaligned</source>
        <translation>정렬 어긋남</translation>
    </message>
    <message>
        <source>not initialised</source>
        <translation>초기화 안 됨</translation>
    </message>
    <message>
        <source>mismatched barrier</source>
        <translation>어긋난 배리어</translation>
    </message>
    <message>
        <source>never meets</source>
        <translation>만나지 못함</translation>
    </message>
    <message>
        <source>endless</source>
        <translation>끝나지 않음</translation>
    </message>
    <message>
        <source>trap</source>
        <translation>중단</translation>
    </message>
    <message>
        <source>lane %1</source>
        <translation>레인 %1</translation>
    </message>
    <message>
        <source>%1 lanes</source>
        <translation>레인 %1개</translation>
    </message>
    <message>
        <source>line %1, block %2, warp %3, %4: %5</source>
        <translation>%1번째 줄, 블록 %2, 워프 %3, %4: %5</translation>
    </message>
    <message>
        <source>load</source>
        <translation>읽기</translation>
    </message>
    <message>
        <source>store</source>
        <translation>쓰기</translation>
    </message>
    <message>
        <source>atomic</source>
        <translation>아토믹</translation>
    </message>
    <message>
        <source>asynchronous copy</source>
        <translation>비동기 복사</translation>
    </message>
    <message>
        <source>barrier</source>
        <translation>배리어</translation>
    </message>
    <message>
        <source>collective</source>
        <translation>집합 연산</translation>
    </message>
    <message>
        <source>active mask</source>
        <translation>활성 마스크</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>분기</translation>
    </message>
    <message>
        <source>step</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>active</source>
        <translation>활성</translation>
    </message>
    <message>
        <source>masked off: at another instruction</source>
        <translation>꺼짐: 다른 명령에 있음</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>기다림</translation>
    </message>
    <message>
        <source>done</source>
        <translation>끝남</translation>
    </message>
    <message>
        <source>no such thread</source>
        <translation>그런 스레드 없음</translation>
    </message>
    <message>
        <source>block %1 of %2</source>
        <translation>블록 %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 lanes active</source>
        <translation>레인 %2개 중 %1개 활성</translation>
    </message>
    <message>
        <source>%1 more ›</source>
        <translation>%1개 더 ›</translation>
    </message>
    <message>
        <source>%1 at line %2</source>
        <translation>%1개는 %2번째 줄</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 wavefront</source>
        <translation>웨이브프런트 %1개</translation>
    </message>
    <message>
        <source>%1 wavefronts</source>
        <translation>웨이브프런트 %1개</translation>
    </message>
    <message>
        <source>%1 sector</source>
        <translation>섹터 %1개</translation>
    </message>
    <message>
        <source>%1 sectors</source>
        <translation>섹터 %1개</translation>
    </message>
    <message>
        <source>The lanes want %1 bytes and fall into %2: %3 bytes move.</source>
        <translation>레인들이 원하는 것은 %1바이트이고 %2에 걸칩니다. 실제로 %3바이트가 오갑니다.</translation>
    </message>
    <message>
        <source>The lanes want %1 bytes, many of them the same: they fall into %2, and %3 bytes move.</source>
        <translation>레인들이 원하는 것은 모두 %1바이트이지만 같은 값이 많아 %2에 걸칩니다. 실제로 %3바이트가 오갑니다.</translation>
    </message>
    <message>
        <source>No bank is asked for two words at once: no conflict.</source>
        <translation>한 뱅크에 두 워드를 동시에 요구하지 않습니다. 충돌이 없습니다.</translation>
    </message>
    <message>
        <source>Bank %1 is asked for %2 different words: one in each turn.</source>
        <translation>뱅크 %1번에 서로 다른 워드 %2개를 요구합니다. 한 번에 하나씩만 나갑니다.</translation>
    </message>
    <message>
        <source>A lane's own memory: registers on a GPU.</source>
        <translation>레인 자신의 메모리입니다. GPU에서는 레지스터입니다.</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>스레드 %1</translation>
    </message>
    <message>
        <source>%1 of %2: %3 wavefronts per request, ideal %4; %5 requests, %6 lanes each</source>
        <translation>%2 %1: 요청당 웨이브프런트 %3개, 이상적으로 %4개; 요청 %5번, 레인 %6개씩</translation>
    </message>
    <message>
        <source>%1 of %2: %3 sectors per request, ideal %4; %5 requests, %6 lanes each</source>
        <translation>%2 %1: 요청당 섹터 %3개, 이상적으로 %4개; 요청 %5번, 레인 %6개씩</translation>
    </message>
    <message>
        <source>exact: nothing to round</source>
        <translation>정확함: 반올림할 것이 없음</translation>
    </message>
    <message>
        <source>rounded down: less than half of the last place</source>
        <translation>내림: 마지막 자리의 절반보다 작음</translation>
    </message>
    <message>
        <source>rounded up: more than half of the last place</source>
        <translation>올림: 마지막 자리의 절반보다 큼</translation>
    </message>
    <message>
        <source>just half: the last place is even and stays</source>
        <translation>딱 절반: 마지막 자리가 짝수라서 그대로</translation>
    </message>
    <message>
        <source>just half: up to the even neighbour</source>
        <translation>딱 절반: 짝수인 이웃으로 올림</translation>
    </message>
    <message>
        <source>overflow: infinite</source>
        <translation>오버플로: 무한대</translation>
    </message>
    <message>
        <source>an operand is not finite</source>
        <translation>피연산자가 유한하지 않음</translation>
    </message>
    <message>
        <source>Right: off by %1 of the reference, %2 is allowed.</source>
        <translation>맞습니다. 기준과의 오차 %1, 허용 %2.</translation>
    </message>
    <message>
        <source>✕ Wrong: off by %1 of the reference, %2 is allowed.</source>
        <translation>✕ 틀립니다. 기준과의 오차 %1, 허용 %2.</translation>
    </message>
    <message>
        <source>(and %1 more; F8 goes from one to the next)</source>
        <translation>(그 밖에 %1개. F8로 차례로 갑니다)</translation>
    </message>
    <message>
        <source>line</source>
        <translation>줄</translation>
    </message>
    <message>
        <source>warp step</source>
        <translation>워프 스텝</translation>
    </message>
    <message>
        <source>word</source>
        <translation>워드</translation>
    </message>
    <message>
        <source>block</source>
        <translation>블록</translation>
    </message>
    <message>
        <source>edit</source>
        <translation>편집</translation>
    </message>
    <message>
        <source>%1: looking for who touches it …</source>
        <translation>%1: 누가 접근하는지 찾는 중 …</translation>
    </message>
    <message>
        <source>%1: no recorded step touches it</source>
        <translation>%1: 기록된 스텝 가운데 접근하는 것이 없음</translation>
    </message>
    <message>
        <source>%1 is touched by %2 steps, %3 of them here</source>
        <translation>%1에 닿는 스텝 %2개 가운데 %3개</translation>
    </message>
    <message>
        <source>%1 is touched by</source>
        <translation>%1에 접근하는 스텝</translation>
    </message>
    <message>
        <source>%1, warp %2</source>
        <translation>%1, 워프 %2</translation>
    </message>
    <message>
        <source>sectors</source>
        <translation>섹터</translation>
    </message>
    <message>
        <source>wavefronts</source>
        <translation>웨이브프런트</translation>
    </message>
    <message>
        <source>per request, counted in the source</source>
        <translation>요청당, 소스에서 집계</translation>
    </message>
    <message>
        <source>, ideal %1</source>
        <translation>, 이상적 %1</translation>
    </message>
    <message>
        <source>bank</source>
        <translation>뱅크</translation>
    </message>
    <message>
        <source>turn 1</source>
        <translation>1번째</translation>
    </message>
    <message>
        <source>Shared memory: %1, line %2</source>
        <translation>공유 메모리: %1, %2번째 줄</translation>
    </message>
    <message>
        <source>Global memory: %1, line %2</source>
        <translation>전역 메모리: %1, %2번째 줄</translation>
    </message>
    <message>
        <source>Blocks that have no room here: %1.</source>
        <translation>여기에 자리가 없는 블록: %1개.</translation>
    </message>
    <message>
        <source>Lines of 128 bytes that have no room here: %1.</source>
        <translation>여기에 자리가 없는 128바이트 라인: %1개.</translation>
    </message>
    <message>
        <source>Turns of the banks that have no room here: %1.</source>
        <translation>여기에 자리가 없는 뱅크 차례: %1번.</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>블록 %1</translation>
    </message>
    <message>
        <source>warp %1</source>
        <translation>워프 %1</translation>
    </message>
    <message>
        <source>does this step</source>
        <translation>이 스텝을 실행</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>기다림</translation>
    </message>
    <message>
        <source>still on its way</source>
        <translation>아직 오는 중</translation>
    </message>
    <message>
        <source>has gone on</source>
        <translation>지나갔음</translation>
    </message>
    <message>
        <source>Whose value each lane gets</source>
        <translation>레인마다 누구의 값을 받나</translation>
    </message>
    <message>
        <source>The block's threads</source>
        <translation>블록의 스레드</translation>
    </message>
    <message>
        <source>fmaf(a, b, c) of lane %1: multiply-add %2 of %3 on its way to this step</source>
        <translation>레인 %1의 fmaf(a, b, c): 이 스텝까지의 곱셈-덧셈 %3개 중 %2번째</translation>
    </message>
    <message>
        <source>result</source>
        <translation>결과</translation>
    </message>
    <message>
        <source>%1 words serve all lanes at once: no conflict.</source>
        <translation>워드 %1개로 모든 레인이 한 번에 받습니다. 충돌이 없습니다.</translation>
    </message>
    <message>
        <source>One word serves all lanes: no conflict.</source>
        <translation>워드 하나로 모든 레인이 받습니다. 충돌이 없습니다.</translation>
    </message>
    <message>
        <source>%1 of %2 at the barrier</source>
        <translation>%2개 중 %1개가 배리어에 도착</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>fault</source>
        <translation>오류로 멈춘 자리</translation>
    </message>
    <message>
        <source>%1 B asked for, %2 B moved</source>
        <translation>요청 %1 B, 이동 %2 B</translation>
    </message>
    <message>
        <source>%1 of %2 B asked for</source>
        <translation>%2 B 중 요청 %1 B</translation>
    </message>
    <message>
        <source>The grid</source>
        <translation>그리드</translation>
    </message>
    <message>
        <source>recorded: %1</source>
        <translation>기록됨: %1</translation>
    </message>
    <message>
        <source>%1 blocks of %2 threads, %3 in all</source>
        <translation>블록 %1개 × 스레드 %2개, 모두 %3개</translation>
    </message>
    <message>
        <source>warps</source>
        <translation>워프</translation>
    </message>
    <message>
        <source>steps of warp %1 from first to last, below it those near this one</source>
        <translation>워프 %1의 스텝 전체, 아래는 지금 스텝의 앞뒤</translation>
    </message>
    <message>
        <source>%1 B for nothing</source>
        <translation>헛되이 %1 B</translation>
    </message>
    <message>
        <source>barrier: %1 of %2</source>
        <translation>배리어: %1 / %2</translation>
    </message>
    <message>
        <source>32 banks, and the lanes they serve</source>
        <translation>뱅크 32개와 각 뱅크가 응하는 레인</translation>
    </message>
    <message>
        <source>Filled: different words of one bank</source>
        <translation>채운 칸: 한 뱅크에 요구한 서로 다른 워드의 수</translation>
    </message>
    <message>
        <source>and %1 lines more of 128 bytes</source>
        <translation>128바이트 라인 %1개 더</translation>
    </message>
    <message>
        <source>lanes %1</source>
        <translation>레인 %1</translation>
    </message>
    <message>
        <source>bank %1</source>
        <translation>뱅크 %1</translation>
    </message>
    <message>
        <source>blocks %1 and %2</source>
        <translation>블록 %1, %2</translation>
    </message>
    <message>
        <source>warps %1 and %2</source>
        <translation>워프 %1, %2</translation>
    </message>
    <message>
        <source>lanes %1 and %2</source>
        <translation>레인 %1, %2</translation>
    </message>
    <message>
        <source>The block's warps</source>
        <translation>블록의 워프들</translation>
    </message>
    <message>
        <source>Right: equal to the reference.</source>
        <translation>맞습니다. 기준과 같습니다.</translation>
    </message>
    <message>
        <source>✕ Wrong: off by %1 of the reference; it must be equal.</source>
        <translation>✕ 틀립니다. 기준과의 오차 %1, 같아야 합니다.</translation>
    </message>
    <message>
        <source>✕ Wrong: NaN where the reference has a number.</source>
        <translation>✕ 틀립니다. 기준에는 수가 있는 곳에 NaN이 있습니다.</translation>
    </message>
</context>
<context>
    <name>gradus::TheatreView</name>
    <message>
        <source>What was found is covered until you have answered.</source>
        <translation>발견된 것은 답할 때까지 가려져 있습니다.</translation>
    </message>
    <message>
        <source>Nothing was found in this kernel.</source>
        <translation>이 커널에서는 발견된 것이 없습니다.</translation>
    </message>
    <message>
        <source>It has run. What was found is covered until you have answered.</source>
        <translation>실행했습니다. 발견된 것은 답할 때까지 가려져 있습니다.</translation>
    </message>
    <message>
        <source>what else was found</source>
        <translation>그 밖에 발견된 것</translation>
    </message>
    <message>
        <source>F8 goes from one to the next</source>
        <translation>F8로 차례로 갑니다</translation>
    </message>
    <message>
        <source>%1 of %2 threads done</source>
        <translation>스레드 %2개 중 %1개 완료</translation>
    </message>
    <message>
        <source>what has no room</source>
        <translation>자리가 없는 것</translation>
    </message>
    <message>
        <source>%1, edited</source>
        <translation>%1, 고침</translation>
    </message>
    <message>
        <source>%1 is singled out</source>
        <translation>고른 워드: %1</translation>
    </message>
    <message>
        <source>lets go of it</source>
        <translation>그만 봅니다</translation>
    </message>
    <message>
        <source>Kernel theatre</source>
        <translation>커널 극장</translation>
    </message>
    <message>
        <source>No kernel was run step by step at this step of the run.</source>
        <translation>이 스텝에서는 한 단계씩 실행한 커널이 없습니다.</translation>
    </message>
    <message>
        <source>No step of it was recorded; the counts are of all of it.</source>
        <translation>기록된 스텝이 없습니다. 집계는 전체의 것입니다.</translation>
    </message>
    <message>
        <source>line %1, where you stand: %2</source>
        <translation>지금 서 있는 %1번째 줄: %2</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>%1번째 줄: %2</translation>
    </message>
    <message>
        <source>what line %1 costs</source>
        <translation>%1번째 줄의 비용</translation>
    </message>
    <message>
        <source>%1 is touched here</source>
        <translation>여기서 %1에 접근</translation>
    </message>
    <message>
        <source>lanes</source>
        <translation>레인</translation>
    </message>
    <message>
        <source>%1 + %2 bytes</source>
        <translation>%1 + %2바이트</translation>
    </message>
    <message>
        <source>lane %1, %2</source>
        <translation>레인 %1, %2</translation>
    </message>
    <message>
        <source>variables of lane %1, as it comes to this step</source>
        <translation>이 스텝에 올 때 레인 %1의 변수</translation>
    </message>
    <message>
        <source>what this step moves</source>
        <translation>이 스텝이 옮기는 것</translation>
    </message>
    <message>
        <source>%1, ideal %2</source>
        <translation>%1, 이상적 %2</translation>
    </message>
    <message>
        <source>banks of shared memory</source>
        <translation>공유 메모리의 뱅크</translation>
    </message>
    <message>
        <source>sectors of global memory</source>
        <translation>전역 메모리의 섹터</translation>
    </message>
    <message>
        <source>in words</source>
        <translation>말로 하면</translation>
    </message>
    <message>
        <source>sector from %1 on</source>
        <translation>%1부터의 섹터</translation>
    </message>
    <message>
        <source>lanes: %1</source>
        <translation>레인: %1</translation>
    </message>
    <message>
        <source>one multiply-add, bit by bit</source>
        <translation>곱셈-덧셈 하나를 비트 단위로</translation>
    </message>
    <message>
        <source>%1 × %2 + %3 = %4: %5</source>
        <translation>%1 × %2 + %3 = %4: %5</translation>
    </message>
    <message>
        <source>warp %1</source>
        <translation>워프 %1</translation>
    </message>
    <message>
        <source>%1 of %2 threads at the barrier</source>
        <translation>스레드 %2개 중 %1개가 배리어에 도착</translation>
    </message>
    <message>
        <source>the warp's way through its block</source>
        <translation>블록을 지나는 워프의 길</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>%2개 중 %1번째 스텝</translation>
    </message>
    <message>
        <source>the steps round this one</source>
        <translation>이 스텝의 앞뒤</translation>
    </message>
    <message>
        <source>forwards by one: %1</source>
        <translation>하나 앞으로: %1</translation>
    </message>
    <message>
        <source>back by one: %1</source>
        <translation>하나 뒤로: %1</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>끝</translation>
    </message>
    <message>
        <source>write in the kernel</source>
        <translation>커널을 고쳐 쓰기</translation>
    </message>
    <message>
        <source>what runs now was written here</source>
        <translation>지금 실행되는 것은 여기서 쓴 것</translation>
    </message>
    <message>
        <source>A click goes to the step that asks for most.</source>
        <translation>클릭하면 가장 많이 요청한 스텝으로 갑니다.</translation>
    </message>
    <message>
        <source>Another kernel is on stage now; Ctrl+Return runs what stands here.</source>
        <translation>지금 무대에는 다른 커널이 있습니다. 여기 적힌 것은 Ctrl+Return으로 실행합니다.</translation>
    </message>
    <message>
        <source>the launch's blocks</source>
        <translation>실행의 블록들</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>블록 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>This step is being computed …</source>
        <translation>이 스텝을 계산하고 있습니다 …</translation>
    </message>
</context>
<context>
    <name>gradus::EditPanel</name>
    <message>
        <source>what the kernel printed</source>
        <translation>커널이 출력한 것</translation>
    </message>
    <message>
        <source>… and %1 bytes more</source>
        <translation>… 그 뒤로 %1바이트 더</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation>Ctrl+Return</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>원본</translation>
    </message>
    <message>
        <source>F4: the kernel's own text again</source>
        <translation>F4: 커널의 원래 글로</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>what the compiler says</source>
        <translation>컴파일러가 하는 말</translation>
    </message>
    <message>
        <source>Write in it. It is compiled when you pause; Ctrl+Return runs it.</source>
        <translation>고쳐 써 보세요. 잠시 멈추면 컴파일하고, Ctrl+Return으로 실행합니다.</translation>
    </message>
    <message>
        <source>compiling …</source>
        <translation>컴파일 중 …</translation>
    </message>
    <message>
        <source>running …</source>
        <translation>실행 중 …</translation>
    </message>
    <message>
        <source>It compiles, in %1. Ctrl+Return runs it.</source>
        <translation>%1 만에 컴파일됩니다. Ctrl+Return으로 실행합니다.</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>%1번째 줄: %2</translation>
    </message>
    <message>
        <source>(and %1 more; F8 goes from one to the next)</source>
        <translation>(그 밖에 %1개. F8로 차례로 갑니다)</translation>
    </message>
    <message>
        <source>It has run. Whether it is accepted stands beside the question.</source>
        <translation>실행했습니다. 채점 결과는 질문 옆에 나옵니다.</translation>
    </message>
    <message>
        <source>What you wrote before is here again; it has not run. F4 brings back the kernel's own text.</source>
        <translation>전에 쓴 글이 그대로 있습니다. 아직 실행하지 않았습니다. F4를 누르면 커널의 원래 글로 돌아갑니다.</translation>
    </message>
    <message>
        <source>(%1 of %2; F8: the next)</source>
        <translation>(%1/%2, F8: 다음)</translation>
    </message>
</context>
<context>
    <name>gradus::KernelEditor</name>
    <message>
        <source>the kernel's text</source>
        <translation>커널의 글</translation>
    </message>
</context>
<context>
    <name>gradus::KernelDrafts</name>
    <message>
        <source>The kernel %1</source>
        <translation>커널: %1</translation>
    </message>
</context>
</TS>
