#include "tests/views/test_covers.hpp"

#include "views/state/cover_rects.hpp"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>

using namespace gradus;

using Rects = QList<QRectF>;

namespace {

/// What is wrong with them; empty: nothing is seen that was covered, and none lies on another.
QString fault(const std::vector<QRectF>& before, const std::vector<QRectF>& after) {
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (QRectF(after[i].toRect()) != after[i]) return QStringLiteral("beside the pixels");
        for (std::size_t k = 0; k < i; ++k)
            if (after[i].intersects(after[k])) return QStringLiteral("%1 lies on %2").arg(i).arg(k);
    }
    for (const QRectF& rect : before)
        for (double y = rect.top() + 0.25; y < rect.bottom(); ++y)
            for (double x = rect.left() + 0.25; x < rect.right(); ++x)
                if (std::none_of(after.begin(), after.end(), [&](const QRectF& cover) { return cover.contains(QPointF(x, y)); }))
                    return QStringLiteral("(%1, %2) is seen").arg(x).arg(y);
    return {};
}

} // namespace

void TestCovers::none_lies_on_another_data() {
    QTest::addColumn<Rects>("covers");
    QTest::addColumn<Rects>("tidy");
    const QRectF a(10, 10, 100, 40);
    QTest::newRow("none") << Rects{} << Rects{};
    QTest::newRow("empty ones") << Rects{QRectF(), QRectF(5, 5, 0, 1)} << Rects{};
    QTest::newRow("one") << Rects{a} << Rects{a};
    QTest::newRow("between pixels") << Rects{QRectF(10.3, 10.5, 99.2, 39.1)} << Rects{a};
    QTest::newRow("twice the same") << Rects{a, a} << Rects{a};
    QTest::newRow("one in another") << Rects{QRectF(20, 20, 8, 8), a, QRectF(50, 12, 30, 30)} << Rects{a};
    QTest::newRow("half over another") << Rects{a, QRectF(60, 10, 100, 40)} << Rects{QRectF(10, 10, 150, 40)};
    QTest::newRow("one sticks out a little") << Rects{a, QRectF(90, 14, 40, 30)} << Rects{QRectF(10, 10, 120, 40)};
    QTest::newRow("touching along a side") << Rects{a, QRectF(10, 50, 100, 20)} << Rects{QRectF(10, 10, 100, 60)};
    QTest::newRow("touching at a corner") << Rects{a, QRectF(110, 50, 100, 40)} << Rects{a, QRectF(110, 50, 100, 40)};
    QTest::newRow("four pixels apart") << Rects{a, QRectF(10, 54, 100, 20)} << Rects{a, QRectF(10, 54, 100, 20)};
    QTest::newRow("almost in line") << Rects{a, QRectF(12, 56, 97, 20)} << Rects{a, QRectF(10, 56, 100, 20)};
    QTest::newRow("in line by chance, far away") << Rects{a, QRectF(12, 156, 97, 20)} << Rects{a, QRectF(12, 156, 97, 20)};
    QTest::newRow("another width") << Rects{a, QRectF(10, 56, 80, 20)} << Rects{a, QRectF(10, 56, 80, 20)};
    // A wide one over the head of a high one: what is beside both stays in sight.
    QTest::newRow("an upright T") << Rects{QRectF(0, 0, 300, 40), QRectF(100, 20, 60, 200)} << Rects{QRectF(0, 0, 300, 40), QRectF(100, 40, 60, 180)};
    QTest::newRow("a lying T") << Rects{QRectF(100, 80, 200, 60), QRectF(60, 0, 80, 300)} << Rects{QRectF(140, 80, 160, 60), QRectF(60, 0, 80, 300)};
}

void TestCovers::none_lies_on_another() {
    QFETCH(Rects, covers);
    QFETCH(Rects, tidy);
    const std::vector<QRectF> before(covers.begin(), covers.end()), after = tidy_covers(before);
    QCOMPARE(Rects(after.begin(), after.end()), tidy);
    QCOMPARE(fault(before, after), QString());
    QCOMPARE(tidy_covers(after), after); // once is enough
}

void TestCovers::many_come_to_rest() {
    QRandomGenerator dice(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<QRectF> before;
        for (int i = 0; i < 8; ++i) before.emplace_back(dice.bounded(200.0), dice.bounded(150.0), 1 + dice.bounded(90.0), 1 + dice.bounded(60.0));
        const QString wrong = fault(before, tidy_covers(before));
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("round %1: %2").arg(round).arg(wrong)));
    }
}
