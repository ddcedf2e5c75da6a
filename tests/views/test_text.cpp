#include "tests/views/test_text.hpp"

#include "lessons/runtime/card.hpp"
#include "views/text/formula_layout.hpp"
#include "views/text/rich_layout.hpp"
#include "views/theme/words.hpp"

#include <QTest>
#include <algorithm>

using namespace gradus;

namespace {

FormulaLayout laid(const char* tex, int pixels = 22, bool display = false) {
    const Formula formula = parse_formula(tex);
    if (!formula.ok()) qWarning("%s: %s", tex, formula.error.c_str());
    return lay_out(formula, pixels, display);
}

const FormulaGlyph* sign(const FormulaLayout& layout, const QString& text) {
    for (const FormulaGlyph& glyph : layout.glyphs)
        if (glyph.text == text) return &glyph;
    return nullptr;
}

/// What stands on each line, as it is read.
QStringList lines_of(const RichGeometry& geometry) {
    QStringList out;
    for (std::size_t i = 0; i < geometry.lines.size(); ++i) {
        const std::size_t end = i + 1 < geometry.lines.size() ? geometry.lines[i + 1].runs : geometry.runs.size();
        QStringList words;
        for (std::size_t k = geometry.lines[i].runs; k < end; ++k) words += geometry.runs[k].text;
        out += words.join(' ');
    }
    return out;
}

} // namespace

void TestText::formulas_are_read_data() {
    QTest::addColumn<QString>("tex");
    QTest::addColumn<QString>("tree");
    QTest::newRow("letters lean, digits stand") << "2x" << "[2 /x]";
    QTest::newRow("nothing") << "" << "-";
    QTest::newRow("fraction") << "\\frac{\\partial L}{\\partial w}" << "(frac [/∂ /L] [/∂ /w])";
    QTest::newRow("fraction of signs") << "\\frac12" << "(frac 1 2)";
    QTest::newRow("nested fractions") << "\\frac{1}{1+\\frac{a}{b}}" << "(frac 1 [1 + (frac /a /b)])";
    QTest::newRow("both scripts") << "x_i^2" << "(scripts /x /i 2)";
    QTest::newRow("both scripts, turned round") << "x^2_i" << "(scripts /x /i 2)";
    QTest::newRow("script of a group") << "a_{n,i}" << "(scripts /a [/n , /i] -)";
    QTest::newRow("prime") << "f'" << "(scripts /f - ′)";
    QTest::newRow("sum") << "\\sum_{i=1}^n x_i" << "[(scripts ∑ [/i = 1] /n) (scripts /x /i -)]";
    QTest::newRow("functions") << "\\arg\\max_j \\exp z" << "[arg (scripts max /j -) exp /z]";
    QTest::newRow("operator's name") << "\\operatorname{softmax}(z)" << "[softmax ( /z )]";
    QTest::newRow("words") << "x \\text{ if } y" << "[/x \" if \" /y]";
    QTest::newRow("Greek") << "\\alpha\\Omega" << "[/α Ω]";
    QTest::newRow("typed as itself") << "∂z·η" << "[/∂ /z · /η]";
    QTest::newRow("accents") << "\\hat{y}\\bar x\\tilde{p}\\dot{h}"
                             << "[(accent ^ /y) (accent - /x) (accent ~ /p) (accent . /h)]";
    QTest::newRow("bold") << "\\mathbf{W}\\boldsymbol{\\theta}\\mathrm{d}x" << "[*W */θ d /x]";
    QTest::newRow("matrix") << "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}"
                            << "(fenced () (matrix 2 /a /b /c /d))";
    QTest::newRow("matrix with a last line end") << "\\begin{matrix}1\\\\2\\\\\\end{matrix}" << "(matrix 1 1 2)";
    QTest::newRow("short row") << "\\begin{bmatrix}1&2\\\\3\\end{bmatrix}" << "(fenced [] (matrix 2 1 2 3 -))";
    QTest::newRow("fences") << "\\left(\\frac{a}{b}\\right]" << "(fenced (] (frac /a /b))";
    QTest::newRow("one fence") << "\\left. x \\right\\|" << "(fenced .‖ /x)";
    QTest::newRow("root") << "\\sqrt{x}" << "(root /x)";
    QTest::newRow("live") << "L = \\live{loss}" << "[/L = {loss}]";
    QTest::newRow("meaning") << "\\grad{\\partial W}\\state{m}" << "[(grad [/∂ /W]) (state /m)]";
    QTest::newRow("spaces") << "a\\,b\\;c\\quad d" << "[/a _ /b _ /c _ /d]";
}

void TestText::formulas_are_read() {
    QFETCH(QString, tex);
    QFETCH(QString, tree);
    const Formula formula = parse_formula(tex.toStdString());
    QVERIFY2(formula.ok(), formula.error.c_str());
    QCOMPARE(QString::fromStdString(outline(formula.root)), tree);
}

void TestText::mistakes_name_their_place_data() {
    QTest::addColumn<QString>("tex");
    QTest::addColumn<QString>("error");
    QTest::newRow("half a fraction") << "x + y \\frac{a}" << "at character 7: \\frac needs two arguments";
    QTest::newRow("no root") << "\\sqrt" << "at character 1: \\sqrt needs one argument";
    QTest::newRow("unknown") << "a\\foo" << "at character 2: \\foo is not known here";
    QTest::newRow("counts characters, not bytes") << "∂∂\\foo" << "at character 3: \\foo is not known here";
    QTest::newRow("open brace") << "x_{a" << "at character 3: this { is never closed";
    QTest::newRow("closing brace") << "a}" << "at character 2: this } closes nothing";
    QTest::newRow("two subscripts") << "a_1_2" << "at character 4: a second subscript";
    QTest::newRow("no script") << "a_" << "at character 2: _ needs what it raises or lowers after it";
    QTest::newRow("no right") << "\\left( a" << "at character 1: this \\left has no \\right";
    QTest::newRow("no left") << "a \\right)" << "at character 3: \\right without \\left";
    QTest::newRow("no fence") << "\\left a" << "at character 7: \\left needs a delimiter after it, such as ( or .";
    QTest::newRow("no end") << "\\begin{pmatrix} a" << "at character 1: this \\begin has no \\end";
    QTest::newRow("another end") << "\\begin{pmatrix}a\\end{matrix}" << "at character 21: \\end must be \\end{pmatrix}";
    QTest::newRow("ampersand") << "a & b" << "at character 3: & stands outside a matrix";
    QTest::newRow("backslash") << "a\\" << "at character 2: a \\ needs a command after it";
}

void TestText::mistakes_name_their_place() {
    QFETCH(QString, tex);
    QFETCH(QString, error);
    QCOMPARE(QString::fromStdString(parse_formula(tex.toStdString()).error), error);
}

void TestText::no_input_breaks_the_reader() {
    const std::string whole = "\\left(\\begin{bmatrix}\\frac{\\hat{y}_i^2}{\\sqrt{2}}&\\live{a}\\\\\\text{b}&\\sum_{i}^n\\end{bmatrix}\\right)'";
    QVERIFY(parse_formula(whole).ok());
    for (std::size_t i = 0; i <= whole.size(); ++i) {
        const Formula part = parse_formula(whole.substr(0, i));
        if (i > 5 && i + 1 < whole.size()) QVERIFY(!part.ok());
        lay_out(part, 15, true);
        lay_out(parse_formula(whole.substr(i)), 15, true);
    }
    QVERIFY(!parse_formula(std::string(100000, '{')).ok());
    std::string deep;
    for (int i = 0; i < 5000; ++i) deep += "\\frac{";
    QVERIFY(QString::fromStdString(parse_formula(deep).error).contains("nested too deeply"));
    for (const char* again : {"\\sqrt", "\\left(", "\\begin{matrix}", "x_", "\\grad"}) {
        deep.clear();
        for (int i = 0; i < 20000; ++i) deep += again;
        QVERIFY(!parse_formula(deep).ok());
    }
    QVERIFY(parse_formula(std::string("\xff\xe2\x28", 3)).root.parts.size() == 3); // no UTF-8
    for (const char* text : {"**", "*", "`", "$", "$$", "{", "{}", "{a", "**a", "\\", "$x", "$$x$", "****", "``"})
        lay_out(parse_rich(text), {}, 100);
}

void TestText::more_is_wider_data() {
    QTest::addColumn<QString>("narrow");
    QTest::addColumn<QString>("wide");
    QTest::newRow("a letter more") << "a" << "ab";
    QTest::newRow("a script") << "a" << "a_1";
    QTest::newRow("a longer script") << "a_1" << "a_{12}";
    QTest::newRow("an operator takes room") << "a{-}b" << "a-b";
    QTest::newRow("a relation takes more") << "a+b" << "a=b";
    QTest::newRow("a comma") << "a{,}b" << "a,b";
    QTest::newRow("a thin space") << "ab" << "a\\,b";
    QTest::newRow("a quad") << "a\\,b" << "a\\quad b";
    QTest::newRow("a function keeps off") << "\\mathrm{exp}z" << "\\exp z";
    QTest::newRow("fences") << "x" << "\\left(x\\right)";
    QTest::newRow("columns") << "\\begin{matrix}1\\end{matrix}" << "\\begin{matrix}1&2\\end{matrix}";
}

void TestText::more_is_wider() {
    QFETCH(QString, narrow);
    QFETCH(QString, wide);
    QVERIFY(laid(narrow.toUtf8()).width > 0);
    QVERIFY(laid(narrow.toUtf8()).width < laid(wide.toUtf8()).width);
    QVERIFY(laid(wide.toUtf8(), 22).width < laid(wide.toUtf8(), 34).width);
}

void TestText::parts_are_in_place() {
    const FormulaLayout fraction = laid("-\\frac{a}{b}");
    const FormulaGlyph* minus = sign(fraction, "−");
    QVERIFY(minus && sign(fraction, "a") && sign(fraction, "b") && fraction.rules.size() == 1);
    const double axis = math_glyph(minus->face, minus->pixels, minus->text).ink.center().y();
    QVERIFY(std::abs(fraction.rules[0].rect.center().y() - axis) < 0.1); // the bar goes on in the minus
    QVERIFY(sign(fraction, "a")->base.y() < axis && sign(fraction, "b")->base.y() > 0);
    QCOMPARE(laid("(-1)").width, laid("({-}1)").width);       // a sign before a number is no operator
    QCOMPARE(laid("x_{a-b}").width, laid("x_{a{-}b}").width); // and none keeps off in a script
    const FormulaLayout scripts = laid("x_i^2");
    QVERIFY(sign(scripts, "i")->base.y() > 0 && sign(scripts, "2")->base.y() < 0 && sign(scripts, "x")->base.y() == 0);
    const FormulaLayout limits = laid("\\sum_{i}^n", 22, true), aside = laid("\\sum_{i}^n", 22, false);
    QVERIFY(limits.width < aside.width && limits.ascent > aside.ascent);
    QVERIFY(sign(limits, "i")->base.x() < sign(limits, "∑")->base.x() + limits.width / 2);
    QVERIFY(laid("\\left(\\frac{\\frac{a}{b}}{c}\\right)").ascent > laid("(a)").ascent + 8);
    const FormulaLayout matrix = laid("\\begin{matrix}1&22\\\\3&4\\end{matrix}");
    QCOMPARE(sign(matrix, "1")->base.y(), sign(matrix, "2")->base.y());
    QVERIFY(sign(matrix, "3")->base.y() > sign(matrix, "1")->base.y() + 15);
    QVERIFY(std::abs(sign(matrix, "3")->base.x() - sign(matrix, "1")->base.x()) < 1);
    const FormulaLayout coloured = laid("W - \\grad{g}");
    QCOMPARE(sign(coloured, "g")->role, Role::gradient);
    QCOMPARE(sign(coloured, "W")->role, Role::metric);
    QCOMPARE(laid("W - g").width, coloured.width); // colour changes no space
    QCOMPARE(sign(coloured, "W")->face, MathFace::italic);
}

void TestText::scripts_stay_readable() {
    for (const int pixels : {11, 15, 22})
        for (const FormulaGlyph& glyph : laid("x_{i_{j_k}}^{\\frac{1}{n}} \\hat{a}_b", pixels).glyphs)
            QVERIFY(glyph.pixels >= 11);
    QVERIFY(sign(laid("x_i", 22), "i")->pixels < 22);
    for (const char* tex : {"\\frac{p - y}{B}", "-\\frac{y}{p}", "a \\cdot \\frac{y}{B}"}) // in a line of text: digits of an 11 pixel face are 8 high
        QCOMPARE(sign(laid(tex, 17), "y")->pixels, 14);
    QCOMPARE(sign(laid("\\frac{1}{x_y}", 17), "y")->pixels, 11); // a script of its own is none
}

void TestText::lines_of_a_formula_end_outside_brackets() {
    const FormulaLayout whole = laid("(a x + b) \\cdot (c x + d) = a c x^2 + (a d + b c) x + b d", 18);
    const auto lines = [&](double width) { // its signs, line by line
        QStringList out;
        const auto count = static_cast<int>(whole.breaks.size());
        for (int from = -1; from < count;) {
            const int to = whole.fill(from, width);
            QString line;
            for (const FormulaGlyph& glyph : whole.slice(from, to).glyphs) line += glyph.text;
            out << line;
            if (to <= from) return out;
            from = to;
        }
        return out;
    };
    for (const double share : {0.3, 0.35, 0.4, 0.5, 0.6, 0.8, 1.0}) {
        const QStringList all = lines(share * whole.width);
        QCOMPARE(all.join("").size(), lines(whole.width).join("").size());
        for (const QString& line : all) QVERIFY2(line.count('(') == line.count(')'), qPrintable(all.join(" / ")));
    }
    QCOMPARE(lines(whole.width).size(), 1);
    QVERIFY(lines(0.6 * whole.width)[1].startsWith('=')); // a relation before an operator
    QVERIFY(lines(0.1 * whole.width).size() > 4);          // and inside them where nothing else is left
}

void TestText::live_numbers_stand_in_formulas() {
    const Formula formula = parse_formula("L = \\live{loss}");
    const auto with = [&](const QString& text, Provenance provenance) {
        return lay_out(formula, 22, false, [=](const QString& name) -> std::optional<LiveNumber> {
            if (name != "loss") return std::nullopt;
            return LiveNumber{text, provenance};
        });
    };
    QVERIFY(sign(with("0.448", Provenance::computed), "0.448"));
    QVERIFY(with("0.448", Provenance::computed).has_live);
    QVERIFY(with("0.448", Provenance::computed).marks.empty());
    QVERIFY(with("0.448", Provenance::measured).marks.size() == 1);
    QVERIFY(with("0.448", Provenance::measured).width > with("0.448", Provenance::computed).width);
    QVERIFY(sign(lay_out(formula, 22, false), nothing_yet));
}

void TestText::markdown_is_read_data() {
    QTest::addColumn<QString>("markdown");
    QTest::addColumn<QString>("spans"); // kind, style and text of each, blocks apart by |
    QTest::newRow("bold") << "A **batch** of" << "t:A ,tb:batch,t: of";
    QTest::newRow("italic") << "*so* it" << "ti:so,t: it";
    QTest::newRow("a lone star") << "2 * 3" << "t:2 * 3";
    QTest::newRow("code and key") << "`mse` and `Home` and `Ctrl+Z`" << "c:mse,t: and ,k:Home,t: and ,k:Ctrl+Z";
    QTest::newRow("numbers") << "{loss}: {parameter:lr}." << "l:loss,t:: ,l:parameter:lr,t:.";
    QTest::newRow("braces that name nothing") << "{0, 1}" << "t:{0, 1}";
    QTest::newRow("formula") << "so $x$는" << "t:so ,f:x,t:는";
    QTest::newRow("no number in a formula") << "$x_{loss}$!" << "f:x_{loss},t:!";
    QTest::newRow("paragraphs") << "a\nb\n\n\n c " << "t:a b|t:c";
    QTest::newRow("escaped") << "\\$5 \\*" << "t:$5 *";
    QTest::newRow("display") << "a\n\n$x$\n\n$$y$$" << "t:a|d:x|d:y";
}

void TestText::markdown_is_read() {
    QFETCH(QString, markdown);
    QFETCH(QString, spans);
    QStringList blocks;
    const RichText text = parse_rich(markdown);
    for (const RichBlock& block : text.blocks) {
        QStringList each;
        for (const RichSpan& span : block.spans)
            each += QString(block.display ? "d" : QString("tckfl").mid(static_cast<int>(span.kind), 1)) +
                    (span.bold ? "b" : "") + (span.italic ? "i" : "") + ":" + span.text;
        blocks += each.join(',');
    }
    QCOMPARE(blocks.join('|'), spans);
    QVERIFY(text.problems.isEmpty());
}

void TestText::one_baseline_for_all() {
    const RichGeometry geometry = lay_out(parse_rich("손실 loss $\\frac{p - y}{B}$ {loss} `Home` **끝**"), {}, 600);
    QCOMPARE(geometry.lines.size(), std::size_t{1});
    for (const RichRun& run : geometry.runs) {
        QCOMPARE(run.base.y(), geometry.lines[0].baseline);
        QVERIFY(run.rect.top() >= geometry.lines[0].top && run.rect.bottom() <= geometry.height);
    }
    const RichGeometry plain = lay_out(parse_rich("손실 loss $x_1$ {loss} `Home` **끝**"), {}, 600);
    QCOMPARE(plain.height, 24.0);              // nothing tall, a line of words
    QVERIFY(geometry.height > plain.height);   // a fraction takes the room it needs
    RichStyle large;
    large.scale = 1.6;
    QCOMPARE(lay_out(parse_rich("a"), large, 600).height, 24 * 1.6);
}

void TestText::a_particle_stands_close_to_code() {
    for (const auto& [joined, apart] : {std::pair("`mse`는", "`mse` 는"), std::pair("`relu`.", "`relu` .")}) {
        const auto gap = [](const char* text) { // from the code's last letter to what follows
            const RichGeometry geometry = lay_out(parse_rich(text), {}, 300);
            const RichRun& code = geometry.runs[0];
            const double end = code.base.x() + TextMetrics(code.font).horizontalAdvance(code.text);
            if (code.rect.right() > geometry.runs[1].base.x() + 0.01 || code.rect.right() < end) return -1.0;
            return geometry.runs[1].base.x() - end;
        };
        QVERIFY2(gap(joined) >= 1 && gap(joined) <= 2, joined);
        QVERIFY(gap(apart) >= 5);
    }
}

void TestText::lines_end_at_spaces_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("Korean") << "손실이 점들의 평균이므로 점의 수로 나눕니다. 원소 하나에 마우스를 올려 보세요. 편향은 모든 행에 브로드캐스트되었으므로 행들을 더한 값입니다.";
    QTest::newRow("English") << "Every weight had a part in that number. Step through the forward pass once, up to the loss.";
    QTest::newRow("both") << "둘 다 element-wise 연산이고, ReLU는 W₂[0,0]을 그대로 두며, (3×4)·(4×2)가 (3×2)가 됩니다.";
}

void TestText::lines_end_at_spaces() {
    QFETCH(QString, text);
    for (int width = 190; width <= 520; width += 11) {
        const RichGeometry geometry = lay_out(parse_rich(text), {}, width);
        QCOMPARE(lines_of(geometry).join(' '), text); // a break anywhere else would add a space
        QVERIFY(geometry.lines.size() > 1);
        QVERIFY(geometry.natural <= width);
        for (const RichRun& run : geometry.runs) QVERIFY(run.rect.right() <= width + 0.5);
    }
    // A particle stays with the formula or the bold word before it.
    for (int width = 60; width <= 300; width += 7) {
        const RichGeometry geometry = lay_out(parse_rich("가나 다라 $z_2$에서 **연쇄 법칙**은 $p$가"), {}, width);
        for (std::size_t i = 0; i + 1 < geometry.runs.size(); ++i)
            if (geometry.runs[i + 1].text.startsWith("에서") || geometry.runs[i + 1].text.startsWith("은") ||
                geometry.runs[i + 1].text.startsWith("가"))
                if (i > 0) QVERIFY(geometry.runs[i].base.y() == geometry.runs[i + 1].base.y());
    }
}

void TestText::wide_formulas_are_cut() {
    const QString sum = "$\\partial W_2[i,j] = \\sum_n a_1[n,i] \\cdot \\partial z_2[n,j]$";
    const RichGeometry wide = lay_out(parse_rich("원소 " + sum + "."), {}, 500);
    QCOMPARE(wide.lines.size(), std::size_t{1});
    const RichGeometry narrow = lay_out(parse_rich("원소 " + sum + "."), {}, 180);
    QVERIFY(narrow.lines.size() > 1);
    std::size_t signs = 0, whole = 0;
    for (const RichRun& run : wide.runs)
        if (run.formula) whole += run.formula->glyphs.size();
    for (const RichRun& run : narrow.runs) {
        QVERIFY(run.rect.right() <= 180.5);
        if (run.formula) signs += run.formula->glyphs.size();
    }
    QCOMPARE(signs, whole); // nothing is lost
    for (const char* tex : {"$$a = b + c + d + e + f + g + h + i = j + k + l + m + n + o + p + q + r + s$$",
                            "$$\\begin{pmatrix}1000&2000&3000&4000&5000\\end{pmatrix}$$"})
        QVERIFY(lay_out(parse_rich(tex), {}, 240).natural <= 240.5);
    const RichGeometry word = lay_out(parse_rich(QString(200, 'w')), {}, 240); // wider than any line
    QVERIFY(word.lines.size() > 3 && word.natural <= 240.5);
}

void TestText::controls_come_after_their_paragraph() {
    const auto height = [](const QString& name) { return name == "lr" ? 60.0 : 0.0; };
    const RichGeometry geometry = lay_out(parse_rich("Rate {parameter:lr}, {parameter:other}.\n\nAgain {parameter:lr}."), {}, 300, {}, height);
    QCOMPARE(geometry.places.size(), std::size_t{1});
    QVERIFY(geometry.places[0].rect.top() >= 24 && geometry.places[0].rect.bottom() <= geometry.lines[1].top);
    QCOMPARE(geometry.places[0].rect.height(), 60.0);
}

void TestText::numbers_change_in_place() {
    QString loss = "0.448";
    const LiveNumbers live = [&](const QString&) { return LiveNumber{loss, Provenance::computed}; };
    RichGeometry geometry = lay_out(parse_rich("now {loss} here"), {}, 300, live);
    QRectF changed;
    QVERIFY(refresh_numbers(geometry, live, changed) && changed.isEmpty());
    loss = "0.321";
    QVERIFY(refresh_numbers(geometry, live, changed));
    QCOMPARE(geometry.runs[1].text, loss);
    QCOMPARE(changed, geometry.runs[1].rect);
    loss = "12.321";
    QVERIFY(!refresh_numbers(geometry, live, changed)); // wider: laid out again
}

void TestText::cards_are_read_whole_data() {
    QTest::addColumn<QString>("card");
    for (const char* card : {"chain-rule-backprop", "forward-pass-as-matmuls", "gradient-descent-step", "lines-and-composition", "neuron-and-activation",
                             "softmax-cross-entropy", "training-step-anatomy", "why-nonlinearity", "xor-network"})
        QTest::newRow(card) << card;
}

void TestText::cards_are_read_whole() {
    QFETCH(QString, card);
    const Card read = load_card(std::string(GRADUS_SOURCE_FOLDER) + "/lessons/cards/" + card.toStdString());
    for (const char* language : {"en", "ko"}) {
        QStringList texts{QString::fromStdString(read.text.in(language))};
        for (const CardStep& step : read.lesson)
            if (!step.caption.in(language).empty()) texts += QString::fromStdString(step.caption.in(language));
        for (const Check& check : read.checks) {
            texts += QString::fromStdString(check.ask.in(language));
            texts += QString::fromStdString(check.why.in(language));
            for (const CheckOption& option : check.options) texts += QString::fromStdString(option.words.in(language));
        }
        for (const QString& text : texts) {
            const RichText rich = parse_rich(text);
            QVERIFY2(rich.problems.isEmpty(), qPrintable(rich.problems.join("; ")));
            for (int width = 256; width <= 500; width += 12) {
                const RichGeometry geometry = lay_out(rich, {}, width);
                QVERIFY(!geometry.lines.empty());
                double bottom = 0;
                for (const RichLine& line : geometry.lines) {
                    QVERIFY(line.top >= bottom - 0.01);
                    bottom = line.top + line.height;
                }
                for (const RichLine& line : geometry.lines) { // an operator stays with both of its sides
                    const RichRun *first = nullptr, *last = nullptr;
                    for (const RichRun& run : geometry.runs)
                        if (run.rect.top() >= line.top - 0.01 && run.rect.top() < line.top + line.height) {
                            if (!first) first = &run;
                            last = &run;
                        }
                    for (const RichRun* run : {first, last})
                        if (run && run->kind == RichSpan::Kind::text) {
                            const QString said = run->text.trimmed();
                            const bool split = run == first && said.indexOf(' ') == 1 ? belongs_together(said.section(' ', 0, 0), {}) : belongs_together({}, said.section(' ', -1));
                            QVERIFY2(!split, qPrintable(said));
                        }
                }
                for (const RichRun& run : geometry.runs)
                    QVERIFY2(run.rect.left() >= -0.01 && run.rect.right() <= width + 0.5, qPrintable(run.text));
            }
        }
    }
}
