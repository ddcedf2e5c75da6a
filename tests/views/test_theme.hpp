#pragma once

#include <QObject>

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void every_token_is_there();
    void text_has_contrast();
    void numbers_data();
    void numbers();
    void names();
    void paragraphs_end_at_spaces();
    void color_maps_end_at_their_tokens();
    void color_maps_go_in_even_steps();
};
